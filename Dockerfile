# Debian 12 with Lockstep. In the folder in which cpack has made the packages:
#   docker build -t lockstep -f PATH/TO/lockstep/Dockerfile .
#   docker run --rm -v "$PWD:/work" lockstep run scan.comp --groups 4 --check
FROM debian:bookworm-slim
COPY lockstep_*.deb /tmp/
RUN apt-get update
RUN apt-get install --yes --no-install-recommends /tmp/lockstep_*.deb libvulkan1 vulkan-tools
RUN rm -r /tmp/lockstep_*.deb /var/lib/apt/lists
WORKDIR /work
ENTRYPOINT ["lockstep"]
