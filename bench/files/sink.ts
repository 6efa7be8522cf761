import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

// The baseline server for files. A POST hashes the body and writes it to a file, and also flushes it to disk
// if the path is `/synced`. A GET sends the file.
const path = join(process.env.GUILDHALL_DATA_DIR ?? '', 'sink')
const server = createServer(async (request, response) => {
  if (request.method === 'GET') {
    const file = await stat(path).catch(() => undefined)
    response.setHeader('content-length', file?.size ?? 0)
    if (!file) return response.end()
    return await pipeline(createReadStream(path), response)
  }
  const hash = createHash('sha256')
  request.on('data', chunk => hash.update(chunk))
  await pipeline(request, createWriteStream(path, { flush: request.url === '/synced' }))
  response.end(JSON.stringify({ digest: `sha256:${hash.digest('hex')}` }))
})
server.listen(Number(process.env.PORT), '127.0.0.1')
