/**
 * Reads at least the first `bytes` bytes of a stream and returns them together with the entire stream, which
 * can still be read from the start.
 */
export async function readBeginning(
  source: AsyncIterable<Uint8Array>,
  bytes: number,
): Promise<{ beginning: Uint8Array; all: AsyncIterable<Uint8Array> }> {
  const chunks = source[Symbol.asyncIterator]()
  const read: Uint8Array[] = []
  for (let size = 0; size < bytes; ) {
    const { done, value } = await chunks.next()
    if (done) break
    read.push(value)
    size += value.byteLength
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    yield* read
    yield* { [Symbol.asyncIterator]: () => chunks }
  }
  return { beginning: Buffer.concat(read), all: all() }
}
