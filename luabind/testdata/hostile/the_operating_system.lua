-- the operating system
-- expect: refused: os is not defined
os.exit(1)
