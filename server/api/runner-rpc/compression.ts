import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { Code, ConnectError } from '@connectrpc/connect'
import type { Compression } from '@connectrpc/connect/protocol'

const [compress, decompress] = [promisify(gzip), promisify(gunzip)]

// Runners do not compress their requests, and a small message can decompress to a large one.
const maxDecompressed = 64 * 1024

/** Gzip compression for responses and for small requests. */
export const gzipCompression: Compression = {
  name: 'gzip',
  compress: async bytes => new Uint8Array(await compress(bytes)),
  async decompress(bytes, readMaxBytes) {
    const maxOutputLength = Math.min(readMaxBytes, maxDecompressed)
    if (bytes.length === 0) return new Uint8Array()
    try {
      return new Uint8Array(await decompress(bytes, { maxOutputLength }))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
        throw new ConnectError(
          `the message exceeds the limit of ${maxOutputLength} bytes`,
          Code.ResourceExhausted,
        )
      }
      throw new ConnectError('the message is not compressed with gzip', Code.InvalidArgument)
    }
  },
}
