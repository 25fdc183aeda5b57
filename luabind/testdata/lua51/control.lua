-- Each line is a program.
for i = 1, 3 do print(i) end
for i = 3, 1 do print(i) end print("none")
for i = 3, 1, -1 do print(i) end
for i = 1, 2, 0.5 do print(i) end
for i = 1, 0 do print(i) end for i = 1, 1 do print("once") end
for i = 0.1, 0.5, 0.1 do print(i) end
for i = 1, 10, 4 do print(i) end
for i = -3, -1 do print(i) end
for i = 1, math.huge do if i > 3 then break end print(i) end
for i = 1, "x" do print(i) end
for i = nil, 2 do print(i) end
for i = 1, 2, nil do print(i) end
for i = 1, 3 do local i = i * 10 print(i) end
for i = 1, 3 do i = i + 10 print(i) end
local n = 3 for i = 1, n do n = 10 end print(n)
local i = "outer" for i = 1, 2 do end print(i)
for i = 2 ^ 53, 2 ^ 53 + 2, 2 do print(i == 2 ^ 53) end
for i = 1, 3 do for j = 1, 3 do if j == 2 then break end print(i, j) end end
local i = 1 while i < 4 do print(i) i = i + 1 end
local i = 1 while true do i = i * 2 if i > 50 then break end end print(i)
while false do print("never") end print("done")
while nil do end print("done")
local i = 0 repeat i = i + 1 until i >= 3 print(i)
repeat local x = 5 until x == 5 print("out")
local i = 0 repeat local done = i > 2 i = i + 1 until done print(i)
if nil then print(1) elseif false then print(2) elseif 0 then print(3) else print(4) end
if "" then print("empty is true") end if 0 then print("zero is true") end
local x = 5 if x > 3 then print("big") else print("small") end
local x = 5 if x < 3 then print(1) elseif x < 6 then print(2) elseif x < 9 then print(3) end
local x = nil if not x then print("nil") end if x == nil then print("still") end
do local x = 1 do local x = 2 print(x) end print(x) end
local x = 1 do x = 2 end print(x)
local x, y = 1 print(x, y) local x, y = 1, 2, 3 print(x, y)
local a, b, c = (function() return 1, 2, 3 end)() print(a, b, c)
local a, b = 1, 2 a, b = b, a print(a, b)
local a, b, c = 1, 2, 3 a, b, c = c, a, b print(a, b, c)
local t = {1, 2} t[1], t[2] = t[2], t[1] print(t[1], t[2])
local i, t = 1, {} i, t[i] = i + 1, 20 print(i, t[1], t[2])
local a = {} local b = a a.x, a = 1, {} print(b.x, a.x)
local a, b a, b = 1 print(a, b) a, b = 1, 2, 3 print(a, b)
local function f() return 1, 2 end local a, b, c, d = f(), f() print(a, b, c, d)
local function f() return 1, 2 end local a, b, c = (f()), f() print(a, b, c)
local function f() end local a, b = f() print(a, b) print((f())) print(f())
local x = 1 local x = x + 1 print(x)
local x = 10 local function f() return x end local x = 20 print(f(), x)
return print("returned")
do return end
if true then return print("in if") end print("not here")
for i = 1, 5 do if i == 3 then return print("left at", i) end end
error("stop")
error({code = 5})
error()
assert(false)
assert(nil, "why")
print(assert(1, 2, 3)) print(assert("x"))
assert(1 == 2, "no")
print(type(nil), type(1), type("s"), type(true), type({}), type(print), type(function() end))
type()
print(1 and nil or 3, nil and 1 or 2, false or false, 1 and 2 and 3, nil or false, false and nil)
print(1 < 2 and "yes" or "no", 1 > 2 and "yes" or "no", not (1 == 1) and 1 or 0)
local x = nil local y = x and x.z or "default" print(y)
local function side(v) print("called", v) return v end print(side(false) and side(true), side(true) or side(false))
local function side(v) print("c", v) return v end local r = side(1) == side(1) and side(nil) or side("x") print(r)
local a = true local b = a and false print(b) b = b or nil print(b) b = a and (b or 5) print(b)
local r = 5 r = r and (r > 3 and r) print(r) r = not r or 7 print(r)
local a, b = nil, 2 a = a or b b = a and b + 1 print(a, b)
print((1 and nil) == nil, (false or nil) == nil, (nil and false) == nil)
print(1 == 1 == true, (1 < 2) == (2 < 3), not nil == true, not (1 == 2))
print(2 + 3 .. "", 2 .. 3 + 1, -2 ^ 2, not 1 == 2, 1 .. 2 == "12")
print("a" .. "b" == "ab" and 1 + 1 == 2, 1 + 2 < 4, "x" < "y" == true)
local n = 0 for i = 1, 10 do if i % 2 == 0 then n = n + i end end print(n)
local function fact(n) if n <= 1 then return 1 end return n * fact(n - 1) end print(fact(5), fact(10), fact(20))
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end print(fib(15))
local function gcd(a, b) while b ~= 0 do a, b = b, a % b end return a end print(gcd(48, 18), gcd(17, 5))
local p = {} for i = 2, 30 do local prime = true for j = 2, i - 1 do if i % j == 0 then prime = false break end end if prime then p[#p + 1] = i end end print(table.concat(p, " "))
local n, steps = 27, 0 while n ~= 1 do if n % 2 == 0 then n = n / 2 else n = 3 * n + 1 end steps = steps + 1 end print(steps)
for k, v in next, {5} do print(k, v) end
for a, b, c in (function() local n = 0 return function() n = n + 1 if n < 3 then return n, n * 2, n * 3 end end end)() do print(a, b, c) end
for i in function(s, c) if c < 3 then return c + 1 end end, nil, 0 do print(i) end
for i, v in (function(t, i) i = i + 1 if t[i] then return i, t[i] end end), {7, 8}, 0 do print(i, v) end
for x in nil do end
for x in 5 do end
for i = 1, 2 do local v for j = 1, 2 do v = (v or 0) + j end print(v) end
while true do local x = 1 if x then break end end print("out")
for i = 1, 3 do repeat if i == 2 then break end print(i) until true end
local t = {} for i = 1, 3 do t[i] = function() return i end end print(t[1](), t[2](), t[3]())
do local x, y, z, w = 1, 2, 3, 4 end for k, v in next, {10, 20} do print(k, v) end do local x, y, z, w = 1, 2, 3, 4 end for v in (function() return nil end) do print(v) end
local function count(n, i) if i < n then return i + 1 end end do local a, b, c, d, e = 9, 9, 9, 9, 9 end for i in count, 3, 0 do print(i) end for i, extra in count, 2, 0 do print(i, extra) end
local fs = {} for i = 1, 3 do local k = i do local j = i fs[#fs + 1] = function() return j + k end if i == 2 then break end end end local a, b, c = 7, 8, 9 print(fs[1](), fs[2](), a, b, c)
local fs = {} while true do local n = #fs + 1 fs[n] = function() n = n + 1 return n end if n == 3 then break end end local p, q, r, s = 1, 2, 3, 4 print(fs[1](), fs[1](), fs[2](), fs[3](), p, q, r, s)
local t = {10, 20} do local x, y, z, w, v, u = 1, 2, 3, 4, 5, 6 end for k, v in next, t do print(k, v) end
local t, f = {10, 20}, function(s, i) print(s, i) if i == nil then return 1 end end do local x, y, z, w, v, u = 1, 2, 3, 4, 5, 6 end for k in f do print(k) end
local n = 0 repeat while false do n = 5 end n = n + 1 until n > 2 print(n)
for i, v in ipairs({1, 2}) do if false then local x = i end print(i, v) end print("end")
