# Reads headers, and prints where their public parts name a type that they only declare.
# Exit code 1 if there is any such place.

# Pipeline and Shader are made from it; users pass it on.
BEGIN { opaque["DecodedModule"] = 1 }

{
  line = $0
  sub(/\/\/.*/, "", line)
  if (match(line, /^(struct|class) [A-Za-z_]+;/) && before !~ /^template/) {
    split(line, words, /[ ;]/)
    declared[words[2]] = 1
  }
  while (match(line, /(struct|class) [A-Za-z_]+( final)?( :[^:;]*)?( :.*)?( \{|$)/)) {
    split(substr(line, RSTART, RLENGTH), words, " ")
    defined[words[2]] = 1
    line = substr(line, RSTART + RLENGTH)
  }
  if ($0 !~ /^ *\/\//) before = $0
}

FNR == 1 || /^(struct|class)/ || /^ *public:/ { private = 0 }
/^ *(private|protected):/ { private = 1 }
/^\}/ { private = 0 }
!private && !/^(struct|class) [A-Za-z_]+;/ && !/^ *(\/\/|friend )/ { uses[++count] = $0; place[count] = FILENAME ":" FNR }

END {
  for (i = 1; i <= count; ++i) {
    text = uses[i]
    sub(/\/\/.*/, "", text)
    for (name in declared)
      if (!(name in defined) && !(name in opaque) && text ~ ("(^|[^A-Za-z_])" name "([^A-Za-z_]|$)")) {
        print place[i] ": " name " is not defined in any header"
        bad = 1
      }
  }
  exit bad
}
