#version 460
#extension GL_KHR_nothing : require
void main() {}
