import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'

// The baseline server for artifacts. It hashes uploads and discards them or, if BENCH_STORE is set, writes
// them to files in that directory. Downloads send the file in BENCH_FILE.
const file = process.env.BENCH_FILE ?? ''
const store = process.env.BENCH_STORE
let blocks = 0
const origin = `http://127.0.0.1:${process.env.PORT}`
const entry = {
  workflow_run_backend_id: '1',
  workflow_job_run_backend_id: '1',
  database_id: '1',
  name: 'bench',
  size: '1',
  created_at: new Date().toISOString(),
}
const answers: Record<string, object> = {
  CreateArtifact: { ok: true, signed_upload_url: `${origin}/bench/artifacts/upload?sig=x` },
  FinalizeArtifact: { ok: true, artifact_id: '1' },
  ListArtifacts: { artifacts: [entry] },
  GetSignedArtifactURL: { signed_url: `${origin}/bench/artifacts/download?sig=x` },
}

const server = createServer(async (request, response) => {
  if (request.method === 'POST') {
    await text(request)
    response.setHeader('content-type', 'application/json')
    return response.end(JSON.stringify(answers[request.url?.split('/').at(-1) ?? ''] ?? {}))
  }
  if (request.method === 'PUT') {
    const hash = createHash('sha256')
    request.on('data', chunk => hash.update(chunk))
    await (store ? pipeline(request, createWriteStream(join(store, String(blocks++)))) : once(request, 'end'))
    return response.writeHead(201, { 'x-ms-request-id': hash.digest('hex') }).end()
  }
  if (!request.url?.startsWith('/bench/artifacts/download')) return response.end()
  response.setHeader('content-type', 'application/octet-stream')
  response.setHeader('content-disposition', 'attachment; filename="bench"')
  await pipeline(createReadStream(file, { highWaterMark: 1024 * 1024 }), response)
})
server.listen(Number(process.env.PORT), '127.0.0.1')
