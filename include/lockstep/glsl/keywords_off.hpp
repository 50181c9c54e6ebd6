// Takes the keywords of glsl/keywords.hpp away again; may be included any number of times.

#undef If
#undef Else
#undef While
#undef For
#undef Break
#undef Continue
#undef Return
#undef Do
#undef LoopWhile
#undef Switch
#undef Case
#undef Default
#undef Function
#undef FunctionOf
#undef ReturnValue
#undef continue
#undef AndAlso
#undef OrElse
#undef Choose
