# lockstep_choice(<name> <automatic> <documentation>)
# An option with the values AUTO, ON and OFF. AUTO, its default, is what is cached, so that each configuration decides anew
# what it means; the variable is then ON or OFF.
macro(lockstep_choice name automatic documentation)
  set(${name} AUTO CACHE STRING "${documentation} (AUTO, ON or OFF)")
  set_property(CACHE ${name} PROPERTY STRINGS AUTO ON OFF)
  string(TOUPPER "${${name}}" lockstep_chosen)
  if(lockstep_chosen STREQUAL "AUTO")
    set(${name} ${automatic})
  elseif(NOT lockstep_chosen MATCHES "^(ON|OFF|TRUE|FALSE|YES|NO|1|0)$")
    message(FATAL_ERROR "${name} is '${${name}}'; it must be AUTO, ON or OFF")
  endif()
endmacro()
