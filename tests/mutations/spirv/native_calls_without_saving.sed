# src/shader/native/emitter.cpp
# A function is called before registers are saved.
/^void Emitter::call_function/,/^}/s/cache_.save_all();//
