import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer, request as httpRequest, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gitOk } from '@/testing/git'
import {
  addressOf,
  type GitRepository,
  makeGitRepository,
  startLocal,
  useWorkDirectory,
} from '@/testing/git-repository'
import { makePerson, type Person } from '@/testing/people'
import { findGo } from '@/testing/programs.mjs'
import { mount, useSite } from '@/testing/site'

const run = promisify(execFile)
const go = await findGo()
const host = 'forge.test'

describe.skipIf(mount === 'next')('programs that read a repository', () => {
  // A module path cannot contain a port, so the site has a name that only the proxy of the test knows.
  const site = useSite({ baseUrl: `http://${host}` })
  const work = useWorkDirectory()
  let ada: Person
  let hidden: GitRepository
  let tip: string
  beforeAll(async () => {
    ada = await makePerson(site)
    hidden = await makeGitRepository(site, ada.account, { is_private: true })
    const local = work.path()
    await startLocal(local)
    await writeFile(join(local, 'go.mod'), `module ${host}${hidden.path}\n\ngo 1.20\n`)
    await writeFile(join(local, 'engine.go'), 'package engine\n')
    await gitOk(['add', '.'], { cwd: local })
    await gitOk(['commit', '-q', '-m', 'A module'], { cwd: local })
    await gitOk(['tag', 'v1.2.3'], { cwd: local })
    tip = await gitOk(['rev-parse', 'HEAD'], { cwd: local })
    await gitOk(['push', '-q', addressOf(site, hidden, ada), 'main', 'v1.2.3'], { cwd: local })
  })

  it('are git, which clones a private repository at the address of its page with a token', async () => {
    const clone = work.path()
    const page = addressOf(site, hidden, ada).replace(/\.git$/, '')
    await gitOk(['clone', '-q', page, clone])
    expect(await gitOk(['rev-parse', 'HEAD'], { cwd: clone })).toBe(tip)
  })

  it('are curl, which downloads a file with a token', async () => {
    const url = `${site.url}${hidden.path}/raw/branch/main/engine.go`
    const curl = async (...args: string[]) =>
      (await run('curl', ['-sS', '--noproxy', '*', '-w', ' %{http_code}', ...args])).stdout
    const authorization = ['-H', `Authorization: token ${ada.token}`]
    expect(await curl(...authorization, url)).toBe('package engine\n 200')
    expect(await curl('-u', `${ada.name}:${ada.token}`, url)).toBe('package engine\n 200')
    const api = `${site.url}/api/v1/repos${hidden.path}/raw/engine.go?ref=v1.2.3`
    expect(await curl(...authorization, api)).toBe('package engine\n 200')
    expect(await curl(url)).toBe('not found\n 404')
  })

  describe.skipIf(!go)('such as go', () => {
    let proxy: Server
    beforeAll(async () => {
      proxy = createServer((request, response) => {
        const { pathname, search, host: asked } = new URL(request.url ?? '', 'http://none.test')
        if (asked !== host) return void response.writeHead(502).end()
        const { method, headers } = request
        const sent = httpRequest(`${site.url}${pathname}${search}`, { method, headers }, answer => {
          response.writeHead(answer.statusCode ?? 502, answer.headers)
          answer.pipe(response)
        })
        request.pipe(sent)
      })
      proxy.listen(0, '127.0.0.1')
      await once(proxy, 'listening')
    })
    afterAll(() => {
      proxy.closeAllConnections()
      proxy.close()
    })

    it('finds a private module and its versions with the credentials in .netrc', async () => {
      const home = work.path()
      const app = join(home, 'app')
      await mkdir(app, { recursive: true })
      await writeFile(join(home, '.netrc'), `machine ${host} login ${ada.name} password ${ada.token}\n`, {
        mode: 0o600,
      })
      await writeFile(join(app, 'go.mod'), 'module example.test/app\n\ngo 1.20\n')
      const through = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
      const env = {
        NODE_ENV: 'test' as const,
        PATH: [dirname(go ?? ''), process.env.PATH].join(delimiter),
        HOME: home,
        GOPATH: join(home, 'go'),
        GOCACHE: join(home, 'cache'),
        GOFLAGS: '-modcacherw',
        GOTOOLCHAIN: 'local',
        GOPROXY: 'direct',
        GOPRIVATE: host,
        GOINSECURE: host,
        GIT_TERMINAL_PROMPT: '0',
        HTTP_PROXY: through,
        HTTPS_PROXY: through,
        http_proxy: through,
        https_proxy: through,
      }
      const module = `${host}${hidden.path}`
      const { stdout } = await run('go', ['mod', 'download', '-json', `${module}@v1.2.3`], { cwd: app, env })
      const found = JSON.parse(stdout)
      expect(found).toMatchObject({ Version: 'v1.2.3', Origin: { Hash: tip, URL: `http://${module}.git` } })
      expect(await readFile(join(found.Dir, 'engine.go'), 'utf8')).toBe('package engine\n')
      await run('go', ['get', `${module}@latest`], { cwd: app, env })
      expect(await readFile(join(app, 'go.mod'), 'utf8')).toContain(`${module} v1.2.3`)
    })
  })
})
