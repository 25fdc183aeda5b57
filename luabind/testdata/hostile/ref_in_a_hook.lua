-- ref in a hook
-- expect: while the files are loaded
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  self.r = ref()
end
