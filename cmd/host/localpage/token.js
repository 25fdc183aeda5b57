// The token of the page, '' if it needs none. It comes in the fragment of the address, which browsers send to nobody,
// and is kept for this tab.

const KEY = 'token';

function find() {
  const given = location.hash.slice(1);
  if (given) history.replaceState(null, '', location.pathname + location.search);
  try {
    if (given) sessionStorage.setItem(KEY, given);
    return sessionStorage.getItem(KEY) ?? '';
  } catch {
    return given; // this browser stores nothing
  }
}

export const token = find();
export const headers = token ? { Authorization: `Bearer ${token}` } : {};
