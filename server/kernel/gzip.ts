import { promisify } from 'node:util'
import { gunzip, gunzipSync, gzip, gzipSync } from 'node:zlib'

// For small data, using a thread costs several times what it saves.
const small = { text: 32 * 1024, compressed: 4 * 1024 }

const [gzipInThread, gunzipInThread] = [promisify(gzip), promisify(gunzip)]

export async function compress(data: string | Buffer): Promise<Buffer> {
  return data.length <= small.text ? gzipSync(data) : await gzipInThread(data)
}

/** Decompresses the output of `compress`. */
export async function decompress(compressed: Buffer): Promise<Buffer> {
  return compressed.length <= small.compressed ? gunzipSync(compressed) : await gunzipInThread(compressed)
}
