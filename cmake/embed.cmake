# Makes a C file with a text file's bytes: cmake -DINPUT=... -DOUTPUT=... -DNAME=... -DHEADER=... -P this
file(READ ${INPUT} hex HEX)
string(LENGTH "${hex}" digits)
math(EXPR length "${digits} / 2")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
file(WRITE ${OUTPUT} "#include \"${HEADER}\"\n\nconst char ${NAME}[] = {${bytes}0};\nconst size_t ${NAME}_length = ${length};\n")
