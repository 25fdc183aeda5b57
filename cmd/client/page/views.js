// The pages of several players side by side. They share the token of this tab, which has to be there before them.

import '/token.js';

for (const frame of document.querySelectorAll('iframe')) frame.src = frame.dataset.src;
