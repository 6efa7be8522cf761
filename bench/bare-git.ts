import { spawn } from 'node:child_process'
import { createServer, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'

// The baseline for Git over HTTP, and for reading a file: each request starts Git in one of the repositories of a
// directory, and nothing else happens.
const directory = process.env.BENCH_GIT_DIRECTORY ?? ''

createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
  const [, name = '', part = ''] = /^\/([\w-]+(?:\.git)?)\/(.+)$/.exec(pathname) ?? []
  const [, blob] = /^blob\/([0-9a-f]{40})$/.exec(part) ?? []
  if (blob) return sendBlob(join(directory, name), blob, response)
  const service = (part === 'info/refs' ? searchParams.get('service') : part)?.slice('git-'.length)
  // `startServer` asks whether the server responds.
  if (service !== 'upload-pack' && service !== 'receive-pack') return void response.writeHead(404).end()
  const isList = part === 'info/refs'
  const protocol = request.headers['git-protocol']
  const args = [service, '--stateless-rpc', ...(isList ? ['--advertise-refs'] : []), join(directory, name)]
  const git = spawn('git', args, {
    env: { ...process.env, ...(protocol ? { GIT_PROTOCOL: String(protocol) } : {}) },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  response.writeHead(200, {
    'Content-Type': `application/x-git-${service}-${isList ? 'advertisement' : 'result'}`,
    'Cache-Control': 'no-cache',
  })
  if (isList && !(service === 'upload-pack' && protocol)) {
    const line = `# service=git-${service}\n`
    response.write(`${(line.length + 4).toString(16).padStart(4, '0')}${line}0000`)
  }
  const ignore = (): void => undefined
  if (request.headers['content-encoding'] === 'gzip') pipeline(request, createGunzip(), git.stdin, ignore)
  else pipeline(request, git.stdin, ignore)
  pipeline(git.stdout, response, ignore)
}).listen(Number(process.env.PORT), '127.0.0.1')

function sendBlob(repository: string, id: string, response: ServerResponse): void {
  const git = spawn('git', ['-c', 'safe.directory=*', '--git-dir', repository, 'cat-file', 'blob', id])
  response.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8' })
  pipeline(git.stdout, response, () => undefined)
}
