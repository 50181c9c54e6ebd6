#!/bin/sh
# usage: capture.sh LOCKSTEP OUT [OPTIONS OF lockstep capture...]
#        capture.sh --list
# Captures the jobs of this folder on a device: each line below is a job, and becomes a folder in OUT. What the device lacks, or
# its driver fails at, is left out and said. --list prints the jobs. JOBS=N runs N at a time; default 1.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
kernels=../../../kernels

# The range of a type's random numbers, small enough that sums of them stay in it.
range() {
  case $1 in
    u8 | u16 | u32 | u64) echo 0:100 ;;
    i8 | i16 | i32 | i64) echo -100:100 ;;
    *) echo -8:8 ;;
  esac
}
glsl() {
  case $1 in
    u8) echo uint8_t ;; i8) echo int8_t ;; u16) echo uint16_t ;; i16) echo int16_t ;;
    u32) echo uint ;; i32) echo int ;; u64) echo uint64_t ;; i64) echo int64_t ;;
    f16) echo float16_t ;; f32) echo float ;; f64) echo double ;;
  esac
}
vec3() {
  case $1 in f16) echo f16vec3 ;; f32) echo vec3 ;; f64) echo dvec3 ;; esac
}
# job NAME SHADER OPTIONS...: one line.
job() {
  echo "$@"
}
random() { # TYPE N SEED [RANGE]
  echo "random:$1:$2:$3:${4:-$(range "$1")}"
}

groups() {
  for type in u8 i16 i32 u32 i64 u64 f16 f32 f64; do
    case $type in f*) bits= ;; *) bits='And Or Xor' ;; esac
    for op in Add Mul Min Max $bits; do
      within=$(range $type)
      [ "$op" != Mul ] || case $type in f*) within=0.5:1.5 ;; *) within=0:3 ;; esac
      job "subgroup$op.$type" group.comp "-D T=$(glsl $type) -D OP=$op --groups 1" \
        "--buffer 0=$(random $type 64 1 "$within") --buffer 1=zeros:$type:384"
    done
    for op in Add Max $bits; do
      job "subgroupClustered$op.$type" clustered.comp "-D T=$(glsl $type) -D OP=$op --groups 1" \
        "--buffer 0=$(random $type 64 1) --buffer 1=zeros:$type:192"
    done
  done
  for type in u8 i16 u32 i64 f16 f32 f64; do
    job "shuffle.$type" shuffle.comp "-D T=$(glsl $type) --groups 1 --buffer 0=$(random $type 64 2)" \
      "--buffer 1=zeros:$type:768"
    job "allEqual.$type" all_equal.comp "-D T=$(glsl $type) --groups 1 --buffer 0=$(random $type 64 3 1:2)" \
      "--buffer 1=zeros:u32:128"
  done
  for type in u32 f32; do
    job "partitioned.$type" partition.comp "-D T=$(glsl $type) --groups 1 --buffer 0=$(random $type 64 4)" \
      "--buffer 1=$(random u32 64 5 0:4) --buffer 2=zeros:$type:256"
    job "rotate.$type" rotate.comp "-D T=$(glsl $type) --groups 1 --buffer 0=$(random $type 64 4)" \
      "--buffer 1=zeros:$type:128"
  done
  job ballot ballot.comp "--groups 1 --buffer 0=$(random u32 64 6 0:40) --buffer 1=zeros:u32:2496"
  job places places.comp "--groups 4 --buffer 0=zeros:u32:1152"
  job divergence divergence.comp "--groups 1 --buffer 0=$(random u32 64 7 0:60) --buffer 1=zeros:u32:2304"
  job divergence2 divergence.comp "--groups 1 --buffer 0=$(random u32 64 8 0:3) --buffer 1=zeros:u32:2304"
}

# unary NAME TYPES RANGE
unary() {
  for type in $2; do
    job "$1.$type" unary.comp "-D T=$(glsl $type) -D F=$1 --groups 1" \
      "--buffer 0=$(random $type 64 9 "$3") --buffer 1=zeros:$type:64"
  done
}
binary() { # NAME TYPES RANGE RANGE [FUNCTION]
  for type in $2; do
    job "$1.$type" binary.comp "-D T=$(glsl $type) -D F=${5:-$1} --groups 1" \
      "--buffer 0=$(random $type 64 10 "$3") --buffer 1=$(random $type 64 11 "$4") --buffer 2=zeros:$type:64"
  done
}
ternary() { # NAME TYPES RANGE RANGE RANGE
  for type in $2; do
    job "$1.$type" ternary.comp "-D T=$(glsl $type) -D F=$1 --groups 1 --buffer 0=$(random $type 64 12 "$3")" \
      "--buffer 1=$(random $type 64 13 "$4") --buffer 2=$(random $type 64 14 "$5") --buffer 3=zeros:$type:64"
  done
}

functions() {
  for f in sin cos tan; do unary $f 'f16 f32' -3.1:3.1; done
  for f in asin acos; do unary $f 'f16 f32' -1:1; done
  unary atan 'f16 f32' -20:20
  unary sinh 'f16 f32' -5:5
  unary cosh 'f16 f32' -5:5
  unary tanh 'f16 f32' -5:5
  unary asinh 'f16 f32' -9:9
  unary acosh 'f16 f32' 1.1:50
  unary atanh 'f16 f32' -0.95:0.95
  for f in exp exp2; do unary $f 'f16 f32' -8:8; done
  for f in log log2; do unary $f 'f16 f32' 0.05:60; done
  for f in sqrt inversesqrt; do unary $f 'f16 f32 f64' 0.05:600; done
  unary radians 'f16 f32' -400:400
  unary degrees 'f16 f32' -9:9
  for f in abs sign floor ceil trunc round roundEven fract; do unary $f 'f16 f32 f64' -9:9; done
  binary pow 'f16 f32' 0.1:6 -3:3
  job atan2.f32 binary.comp "-D T=float -D F=atan --groups 1 --buffer 0=$(random f32 64 15)" \
    "--buffer 1=$(random f32 64 16) --buffer 2=zeros:f32:64"
  for f in min max step; do binary $f 'f16 f32 f64' -8:8 -8:8; done
  binary mod 'f16 f32 f64' -50:50 0.5:7
  ternary fma 'f16 f32 f64' -8:8 -8:8 -60:60
  ternary mix 'f16 f32 f64' -8:8 -8:8 0:1
  ternary clamp 'f16 f32 f64' -8:8 -6:0 0:6
  ternary smoothstep 'f16 f32 f64' -2:-1 1:2 -3:3
  for type in f16 f32 f64; do
    job geometric.$type geometric.comp "-D T=$(glsl $type) -D V=$(vec3 $type) --groups 1" \
      "--buffer 0=$(random $type 140 17) --buffer 1=zeros:$type:1152"
    job arithmetic.$type arithmetic.comp "-D T=$(glsl $type) --groups 1" \
      "--buffer 0=$(random $type 256 18) --buffer 1=zeros:$type:768 --buffer 2=zeros:$type:384"
    job cancel.$type cancel.comp "-D T=$(glsl $type) --groups 1 --buffer 0=$(random $type 64 19)" \
      "--buffer 1=zeros:$type:256"
  done
  for type in f32 f64; do
    job split.$type split.comp "-D T=$(glsl $type) --groups 1 --buffer 0=$(random $type 64 20 -50:50)" \
      "--buffer 1=zeros:$type:256 --buffer 2=zeros:i32:64"
  done
  job pack pack.comp "--groups 1 --buffer 0=$(random f32 70 21 -1.2:1.2) --buffer 1=random:u32:64:22" \
    "--buffer 2=zeros:u32:320 --buffer 3=zeros:f32:448"
  for type in u8 i16 i32 u32 i64 u64; do
    job integer.$type integer.comp "-D T=$(glsl $type) --groups 1 --buffer 0=random:$type:128:23" \
      "--buffer 1=zeros:$type:512"
  done
  job bits bits.comp "--groups 1 --buffer 0=random:u32:128:24 --buffer 1=zeros:u32:896"
  job convert convert.comp "--groups 1 --buffer 0=$(random f32 64 25 -2000:2000) --buffer 1=random:i32:64:26" \
    "--buffer 2=zeros:f32:384 --buffer 3=zeros:i32:256 --buffer 4=zeros:f64:128"
  job special special.comp "--groups 1 --buffer 0=zeros:f32:768 --buffer 1=zeros:u32:64 --buffer 2=special.npy"
}

# Where precision is worst: large and small arguments, the ends of domains, denormals, and half the bits.
edges() {
  wide() { # NAME TYPES RANGE
    for type in $2; do
      job "$1.wide.$type" unary.comp "-D T=$(glsl $type) -D F=$1 --groups 1" \
        "--buffer 0=$(random $type 64 70 "$3") --buffer 1=zeros:$type:64"
    done
  }
  for f in sin cos tan; do wide $f 'f16 f32' -900:900; done
  for f in exp exp2 cosh sinh; do wide $f f32 -80:80; done
  for f in exp exp2; do wide $f f16 -14:10; done
  wide tanh f32 -80:80
  wide tanh f16 -10:10
  for f in log log2 sqrt inversesqrt; do
    wide $f f16 0.001:60000
    wide $f f32 1e-30:1e30
  done
  for f in asinh sinh tanh atan asin atanh tan sin; do
    job "$f.small.f32" unary.comp "-D T=float -D F=$f --groups 1 --buffer 0=$(random f32 64 71 -0.001:0.001)" \
      "--buffer 1=zeros:f32:64"
  done
  for f in log log2 acosh; do
    job "$f.near1.f32" unary.comp "-D T=float -D F=$f --groups 1 --buffer 0=$(random f32 64 72 1:1.001)" \
      "--buffer 1=zeros:f32:64"
  done
  for f in floor ceil trunc round roundEven fract; do wide $f 'f16 f32 f64' -3000:3000; done
  job pow.wide.f32 binary.comp "-D T=float -D F=pow --groups 1 --buffer 0=$(random f32 64 73 0.001:90)" \
    "--buffer 1=$(random f32 64 74 -9:9) --buffer 2=zeros:f32:64"
  job mediump mediump.comp "--groups 1 --buffer 0=$(random f32 128 75 -4:4) --buffer 1=zeros:f32:384"
  for type in f16 f32 f64; do
    case $type in f16) scale=1e-5 ;; f32) scale=3e-39 ;; f64) scale=2e-309 ;; esac
    job denormal.$type denormal.comp "-D T=$(glsl $type) --groups 1 --buffer 0=$(random $type 128 76 -4:4)" \
      "--buffer 1=zeros:$type:768 --buffer 2=zeros:u32:64 --buffer 3=fill:$type:1:$scale"
    job identities.$type identities.comp "-D T=$(glsl $type) --groups 1 --buffer 0=$(random $type 128 77)" \
      "--buffer 1=zeros:$type:768"
  done
}

# Modes of SPV_KHR_float_controls, for devices that have them.
controls() {
  mode() { # NAME MODE CAPABILITY TYPE INPUT...
    name=$1 mode=$2 capability=$3 type=$4
    shift 4
    job "$name.$type" controls.comp "-D T=$(glsl $type) -D MODE=$mode -D CAPABILITY=$capability -D BITS=${type#f}" \
      "--groups 1 $* --buffer 1=zeros:$type:896 --buffer 2=zeros:u32:64"
  }
  for type in f16 f32 f64; do
    case $type in f16) small=4e-5 ;; f32) small=4e-38 ;; f64) small=4e-308 ;; esac
    mode DenormPreserve 4459 4464 $type "--buffer 0=$(random $type 192 80 -$small:$small)"
    mode SignedZeroInfNanPreserve 4461 4466 $type "--buffer 0=$(random $type 192 81)"
    mode DenormFlushToZero 4460 4465 $type "--buffer 0=$(random $type 192 80 -$small:$small)"
    mode RoundingModeRTE 4462 4467 $type "--buffer 0=$(random $type 192 82)"
    mode RoundingModeRTZ 4463 4468 $type "--buffer 0=$(random $type 192 82)"
    job branch.$type branch.comp "-D T=$(glsl $type) --groups 1 --buffer 0=$(random $type 128 83 -2:2)" \
      "--buffer 1=zeros:$type:128 --buffer 2=zeros:u32:192"
  done
  job SignedZeroInfNanPreserve.special controls.comp "-D T=float -D MODE=4461 -D CAPABILITY=4466 -D BITS=32" \
    "--groups 1 --bits --buffer 0=special.npy --buffer 1=zeros:f32:896 --buffer 2=zeros:u32:64"
}

# What image formats make of floats.
texels() {
  for format in rgba8 r8 rgba16 rg16 rgba16f r16f rgba8_snorm r11f_g11f_b10f; do
    job texels.$format texels.comp "-D FORMAT=$format --groups 1 --buffer 0=$(random f32 128 84 -0.2:1.3)" \
      "--image 1=$format:8x8:zeros --buffer 2=zeros:f32:256"
  done
}

# What samplers make of texels.
samplers() {
  sampled() { # FORMAT TYPE WORDS [RANGE]
    job "sampled.$1.$(echo "$3" | tr , _)" sample.comp "--groups 1 --image 0=$1:8x4:random:$2:128:86${4:+:$4}" \
      "--sampler 0=$3 --buffer 1=$(random f32 128 85 -0.5:1.5) --buffer 2=zeros:f32:256"
  }
  for words in nearest,repeat linear,repeat linear,mirrored_repeat linear,clamp_to_edge linear,clamp_to_border; do
    sampled rgba8 u8 $words
    sampled rgba32f f32 $words -4:4
  done
  sampled rgba16f f16 linear,repeat -4:4
  sampled rgba8_snorm i8 linear,repeat
  sampled rgba32f f32 linear,mirror_clamp_to_edge -4:4
  sampled rgba8 u8 nearest,mirror_clamp_to_edge
}

# Texture functions on images of all shapes: levels, cubes, layers, gathers, comparisons and gradients.
textures() {
  # NAME TYPE-OF-SAMPLER CALL IMAGE WORDS [RANGE OF PLACES]
  texture() {
    job "$1" texture.comp "-D SAMPLER=$2 -D 'CALL=$3' --groups 1 --image 0=$4 --sampler 0=$5" \
      "--buffer 1=$(random f32 256 87 "${6:--0.5:1.5}") --buffer 2=zeros:f32:256"
  }
  eight() { echo "rgba8:$1:random:u8:$2:88"; }        # SIZE BYTES
  thirty() { echo "rgba32f:$1:random:f32:$2:88:-4:4"; }  # SIZE NUMBERS
  depth() { echo "r32f:$1:random:f32:$2:88:0:1"; }
  for words in nearest,mipmap_nearest linear,mipmap_nearest linear,mipmap_linear nearest,mipmap_linear; do
    name=$(echo $words | tr , _)
    texture levels.rgba8.$name sampler2D 'textureLod(image,p.xy,p.w)' "$(eight 8x8,levels=4 340)" $words -1:4
    texture levels.rgba32f.$name sampler2D 'textureLod(image,p.xy,p.w)' "$(thirty 8x8,levels=4 340)" $words -1:4
  done
  texture levels.3d sampler3D 'textureLod(image,p.xyz,p.w)' "$(thirty 4x4x4,levels=3 292)" linear,mipmap_linear -1:3
  texture levels.array sampler2DArray 'textureLod(image,p.xyz,p.w)' "$(eight 4x4x3,levels=3 252)" linear,mipmap_linear -1:3
  texture levels.odd sampler2D 'textureLod(image,p.xy,p.w)' "$(thirty 7x5,levels=3 168)" linear,mipmap_linear -1:3
  for words in nearest linear,clamp_to_edge; do
    name=${words%%,*}
    texture shape.1d.$name sampler1D 'textureLod(image,p.x,0.0)' "$(thirty 8 32)" $words
    texture shape.1d_array.$name sampler1DArray 'textureLod(image,p.xy,0.0)' "$(thirty 8x3 96)" $words -1:4
    texture shape.2d_array.$name sampler2DArray 'textureLod(image,p.xyz,0.0)' "$(thirty 4x4x3 192)" $words -1:4
    texture shape.3d.$name sampler3D 'textureLod(image,p.xyz,0.0)' "$(thirty 4x4x4 256)" $words
    texture shape.cube.$name samplerCube 'textureLod(image,p.xyz,0.0)' "$(thirty 4x4x6 384)" $words -1:1
    texture shape.cube8.$name samplerCube 'textureLod(image,p.xyz,0.0)' "$(eight 4x4x6 384)" $words -1:1
    texture shape.cube_array.$name samplerCubeArray 'textureLod(image,p,0.0)' "$(thirty 4x4x12 768)" $words -1:2
  done
  texture levels.cube samplerCube 'textureLod(image,p.xyz,p.w)' "$(thirty 4x4x6,levels=3 504)" linear,mipmap_linear -2:2
  texture sampled.rgba32ui usampler2D 'textureLod(image,p.xy,0.0)' rgba32ui:8x4:random:u32:128:88:0:1000 nearest
  texture sampled.rgba8i isampler2D 'textureLod(image,p.xy,0.0)' rgba8i:8x4:random:i8:128:88 nearest
  texture offset sampler2D 'textureLodOffset(image,p.xy,0.0,ivec2(1,-2))' "$(thirty 8x4 128)" linear
  texture fetch sampler2D 'texelFetch(image,ivec2(int(i)%4,int(i)/16),1)' "$(eight 8x8,levels=2 320)" linear
  for k in 0 1 2 3; do
    texture gather.rgba8.$k sampler2D "textureGather(image,p.xy,$k)" "$(eight 8x4 128)" linear
  done
  texture gather.rgba32f sampler2D 'textureGather(image,p.xy,2)' "$(thirty 8x4 128)" nearest,clamp_to_edge
  texture gather.offset sampler2D 'textureGatherOffset(image,p.xy,ivec2(1,-2),1)' "$(thirty 8x4 128)" linear
  texture gather.offsets sampler2D \
    'textureGatherOffsets(image,p.xy,ivec2[](ivec2(0,1),ivec2(-2,2),ivec2(3,0),ivec2(1,-1)),1)' "$(thirty 8x4 128)" linear
  texture gather.array sampler2DArray 'textureGather(image,p.xyz,1)' "$(thirty 4x4x3 192)" linear -1:4
  texture gather.cube samplerCube 'textureGather(image,p.xyz,0)' "$(thirty 4x4x6 384)" linear -1:1
  texture gather.u32 usampler2D 'textureGather(image,p.xy,3)' rgba32ui:8x4:random:u32:128:88:0:1000 nearest
  texture gather.shadow sampler2DShadow 'textureGather(image,p.xy,p.w)' "$(depth 8x4 32)" nearest,less 0:1
  for words in nearest,less linear,less linear,greater_or_equal,clamp_to_border,opaque_white linear,not_equal; do
    name=$(echo $words | tr , _)
    texture shadow.$name sampler2DShadow 'texture(image,p.xyw)' "$(depth 8x4 32)" $words 0:1
    texture shadow16.$name sampler2DShadow 'texture(image,p.xyw)' r16:8x4:random:u16:32:88 $words 0:1
  done
  for words in nearest,less linear,mipmap_linear,less; do
    name=${words%%,*}
    texture shadow.levels.$name sampler2DShadow 'textureLod(image,p.xyw,3.0*p.z)' "$(depth 8x8,levels=4 85)" $words 0:1
    texture shadow.array.$name sampler2DArrayShadow 'texture(image,p.xyzw)' "$(depth 4x4x2 32)" $words 0:1
    texture shadow.cube.$name samplerCubeShadow 'texture(image,vec4(p.xyz,abs(p.w)))' "$(depth 4x4x6 96)" $words -1:1
  done
  gradient() { # NAME TYPE-OF-SAMPLER AXES IMAGE WORDS
    job "gradient.$1" gradient.comp "-D SAMPLER=$2 -D AXES=$3 --groups 1 --image 0=$4 --sampler 0=$5" \
      "--buffer 1=$(random f32 256 87 -1:1) --buffer 2=zeros:f32:256 --buffer 3=$(random f32 512 89 -0.3:0.3)"
  }
  gradient 2d.nearest sampler2D xy "$(thirty 8x8,levels=4 340)" nearest
  gradient 2d.linear sampler2D xy "$(thirty 8x8,levels=4 340)" linear,mipmap_linear
  gradient 2d.rgba8 sampler2D xy "$(eight 8x8,levels=4 340)" linear,mipmap_linear
  gradient 3d sampler3D xyz "$(thirty 4x4x4,levels=3 292)" linear,mipmap_linear
  gradient cube samplerCube xyz "$(thirty 4x4x6,levels=3 504)" linear,mipmap_linear
  for quads in quads linear; do
    job derivative.$quads derivative.comp "-D QUADS=derivative_group_${quads}NV --groups 1" \
      "--buffer 0=$(random f32 64 90) --buffer 1=zeros:f32:576"
  done
  implicit() { # NAME TYPE-OF-SAMPLER CALL IMAGE WORDS RANGE OF PLACES
    job "implicit.$1" implicit.comp "-D SAMPLER=$2 -D 'CALL=$3' --groups 1 --image 0=$4 --sampler 0=$5" \
      "--buffer 1=$(random f32 256 91 "$6") --buffer 2=zeros:f32:256"
  }
  implicit linear sampler2D 'texture(image,p.xy)' "$(thirty 8x8,levels=4 340)" linear,mipmap_linear 0:0.3
  implicit nearest sampler2D 'texture(image,p.xy)' "$(thirty 8x8,levels=4 340)" nearest 0:0.3
  implicit bias sampler2D 'texture(image,p.xy,8.0*p.w)' "$(thirty 8x8,levels=4 340)" linear,mipmap_linear -0.3:0.3
  implicit 3d sampler3D 'texture(image,p.xyz)' "$(thirty 4x4x4,levels=3 292)" linear,mipmap_linear 0:0.5
  implicit cube samplerCube 'texture(image,p.xyz+vec3(0,0,2))' "$(thirty 4x4x6,levels=3 504)" linear,mipmap_linear -1:1
  implicit query.linear sampler2D 'textureQueryLod(image,p.xy).xyxy' "$(thirty 8x8,levels=4 340)" linear,mipmap_linear 0:0.3
  implicit query.nearest sampler2D 'textureQueryLod(image,p.xy).xyxy' "$(thirty 8x8,levels=4 340)" nearest 0:0.3
  implicit query.wide sampler2D 'textureQueryLod(image,8.0*p.xy*p.z).xyxy' "$(thirty 8x8,levels=4 340)" linear,mipmap_linear -1:1
  job array array.comp "--groups 2 --buffer 0[0]=$(random f32 64 87 -0.5:1.5) --buffer 0[1]=$(random f32 64 88 -0.5:1.5)" \
    "--image 1[0]=$(thirty 4x4 64) --image 1[1]=$(eight 4x4 64) --sampler 2[0]=nearest --sampler 2[1]=linear" \
    "--buffer 3[0]=zeros:f32:512 --buffer 3[1]=zeros:f32:512"
}

# Results that depend on an order of atomics, on a race, or on where a switch joins its lanes.
orders() {
  for seed in 90 91; do
    job fallthrough.$seed fallthrough.comp "--groups 1 --buffer 0=$(random u32 64 $seed) --buffer 1=zeros:u32:256"
    job counting_sort.$seed counting_sort.comp "--groups 1 --buffer 0=$(random u32 128 $seed) --buffer 1=zeros:u32:256"
    job hash_table.$seed hash_table.comp "--groups 1 --buffer 0=$(random u32 64 $seed 0:60) --buffer 1=zeros:u32:128" \
      "--buffer 2=zeros:u32:64"
    job first_wins.$seed first_wins.comp "--groups 2 --buffer 0=$(random u32 128 $seed) --buffer 1=zeros:u32:8" \
      "--buffer 2=zeros:u32:128"
    job swap_add.$seed swap_add.comp "--groups 2 --buffer 0=$(random f32 128 $seed) --buffer 1=zeros:u32:4"
  done
  job exchange_chain exchange_chain.comp "--groups 2 --buffer 0=zeros:u32:1 --buffer 1=zeros:u32:128"
  job colliding colliding.comp "--groups 2 --buffer 0=$(random u32 128 92) --buffer 1=zeros:u32:388"
}

scripts() {
  for script in ../../amber/examples/*.amber; do
    job "amber.$(basename "$script" .amber)" "$script" ""
  done
}

programs() {
  for type in f16 f32; do
    job norms.$type norms.comp "-D T=$(glsl $type) --groups 2 --buffer 0=$(random $type 128 27 -3:3)" \
      "--buffer 1=zeros:$type:384"
    job gemm.$type gemm.comp "-D T=$(glsl $type) --groups 2,2 --buffer 0=$(random $type 256 28 -2:2)" \
      "--buffer 1=$(random $type 256 29 -2:2) --buffer 2=zeros:$type:256"
  done
  job gemm.i32 gemm.comp "-D T=int --groups 2,2 --buffer 0=$(random i32 256 28)" \
    "--buffer 1=$(random i32 256 29) --buffer 2=zeros:i32:256"
  for span in 4 8; do
    job fft$span fft.comp "-D SPAN=${span}u --groups 1 --buffer 0=$(random f32 128 30) --buffer 1=zeros:f32:128"
  done
  for type in u32 i32; do
    job atomics.$type atomics.comp "-D T=$(glsl $type) --groups 2 --buffer 0=$(random $type 128 31)" \
      "--buffer 1=zeros:$type:16 --buffer 2=zeros:$type:128"
  done
  job float_atomics float_atomics.comp "-D T=float --groups 2 --buffer 0=$(random f32 128 32) --buffer 1=zeros:f32:4"
  for type in i32 f32 f64; do
    job scan.$type scan.comp "-D T=$(glsl $type) --groups 2 --buffer 0=$(random $type 256 33)" \
      "--buffer 1=zeros:$type:256"
  done
  job image.r32f image.comp "-D FORMAT=r32f -D IMAGE=image2D -D VEC4=vec4 --groups 1" \
    "--image 0=r32f:8x8:$(random f32 64 34) --image 1=r32f:8x8:zeros"
  job image.rgba8 image.comp "-D FORMAT=rgba8 -D IMAGE=image2D -D VEC4=vec4 --groups 1" \
    "--image 0=rgba8:8x8:random:u8:256:35 --image 1=rgba8:8x8:zeros"
  job image.r32ui image.comp "-D FORMAT=r32ui -D IMAGE=uimage2D -D VEC4=uvec4 --groups 1" \
    "--image 0=r32ui:8x8:random:u32:64:36 --image 1=r32ui:8x8:zeros"
}

twins() {
  u=256
  twin() { job "twin.$1" "$kernels/$1/$1.comp" "$2"; }
  twin saxpy "--groups 1 --push f32:2.5 --buffer 0=$(random f32 $u 40) --buffer 1=$(random f32 $u 41)"
  twin xor_reduce "--groups 1 --buffer 0=$(random f32 512 42 0:1) --buffer 1=$(random f32 128 43 0:1) --buffer 2=zeros:f32:512"
  twin collatz "--groups 2 --buffer 0=iota:u32:128 --buffer 1=zeros:u32:128"
  twin subgroup_scan "--groups 1 --buffer 0=$(random f32 128 44) --buffer 1=zeros:f32:128 --buffer 2=zeros:f32:128 --buffer 3=zeros:f32:128 --buffer 4=zeros:f32:128"
  twin vote "--groups 1 --buffer 0=$(random i32 128 45 0:3) --buffer 1=$(random i32 128 46 0:3) --buffer 2=zeros:i32:128 --buffer 3=zeros:u32:128"
  twin quarter_ballot "--groups 1 --buffer 0=$(random i32 128 47 0:3) --buffer 1=$(random i32 128 48 0:3) --buffer 2=zeros:i32:128"
  twin shuffle_blend "--groups 1 --buffer 0=$(random u32 128 49 0:3) --buffer 1=$(random f32 512 50 0:1) --buffer 2=$(random f32 128 51 0:1) --buffer 3=zeros:f32:512"
  twin reverse_scan "--groups 1 --buffer 0=$(random f32 512 52) --buffer 1=zeros:f32:512"
  twin strided_scan "--groups 1 --buffer 0=$(random f32 512 53) --buffer 1=zeros:f32:512"
  twin match_any "--groups 1 --buffer 0=$(random u32 128 54 0:5) --buffer 1=$(random u32 128 55) --buffer 2=zeros:u32:128"
  twin max_reduce "--groups 1 --buffer 0=random:u32:128:56 --buffer 1=zeros:u32:1"
  twin histogram "--groups 1 --buffer 0=$(random u32 256 57 0:255) --buffer 1=zeros:u32:256"
  twin butterfly "--groups 1 --buffer 0=$(random u32 128 58) --buffer 1=zeros:u32:1"
  twin bitonic_sort "--groups 1 --buffer 0=random:u32:128:59 --buffer 1=zeros:u32:128"
  twin dynamic_branch "--groups 1 --buffer 0=$(random f32 128 60) --buffer 1=zeros:f32:128"
  twin broadcast_load "--groups 1 --buffer 0=$(random f32 512 61) --buffer 1=zeros:f32:512"
  twin small_workgroup "--groups 16 --buffer 0=$(random u32 16 62) --buffer 1=zeros:u32:16 --buffer 2=zeros:u32:16"
  twin compact "--groups 1 --buffer 0=$(random i32 128 63) --buffer 1=zeros:u32:1 --buffer 2=zeros:i32:128"
  twin allocate "--groups 1 --buffer 0=$(random u32 128 64) --buffer 1=zeros:u32:1 --buffer 2=zeros:u32:128"
  job twin.mandelbrot "$kernels/mandelbrot/mandelbrot.comp" \
    "--groups 1,32 --push 'u32:32 u32:32 f32:-2 f32:-1.25 f32:0.09 u32:40' --buffer 0=zeros:u32:1024"
}

all() {
  groups
  functions
  edges
  controls
  texels
  samplers
  textures
  programs
  orders
  twins
  (cd "$here" && scripts)
}

if [ "${1:-}" = --list ]; then
  all
  exit
fi
lockstep=$(realpath "${1:?usage: capture.sh LOCKSTEP OUT [OPTIONS...]}")
out=$(realpath "${2:?usage: capture.sh LOCKSTEP OUT [OPTIONS...]}")
shift 2
cd "$here"  # jobs keep the names of files
# One job; its line is $1.
all | LOCKSTEP=$lockstep OUT=$out OPTIONS="$*" xargs -P "${JOBS:-1}" -d '\n' -I '{}' sh -c '
  line=$1
  name=${line%% *} rest=${line#* }
  shader=${rest%% *} rest=${rest#* }
  case $shader in */*) ;; *) shader=shaders/$shader ;; esac
  eval "set -- $rest"
  message=$("$LOCKSTEP" capture "$shader" --name "$name" -o "$OUT" "$@" $OPTIONS 2>&1) ||
    echo "left out $name: $(echo "$message" | tail -1)"
' sh '{}'
