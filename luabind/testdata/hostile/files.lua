-- files
-- expect: refused: io is not defined
io.open("/etc/passwd")
