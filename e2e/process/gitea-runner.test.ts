// @module-tag slow
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { installArtifactClients } from '@/testing/artifact-clients/install.mjs'
import { gitOk } from '@/testing/git'
import { buildStandInRunner, findGiteaRunner, findStandInRunner } from '@/testing/gitea-runner/find.mjs'
import { hostLabel, RunnerProgram } from '@/testing/gitea-runner/program'
import { adminHeaders } from './api'
import { adminEnvironment, dataDirectory, type Guildhall, start, temporaryDirectory } from './guildhall'

const clients = await installArtifactClients()
const published = await findGiteaRunner()
// If the published program is available, it covers everything that the stand-in would.
const standIn = published ? undefined : await findStandInRunner()
const programs = [
  ['published program', published ? async () => published : undefined],
  ['its executor with a test daemon', standIn ? buildStandInRunner : undefined],
] as const

describe.each(programs)('the Gitea runner (%s)', (_, findProgram) => {
  describe.skipIf(!findProgram || !clients)('on a host without containers', () => {
    let guildhall: Guildhall
    let holder: Awaited<ReturnType<typeof dataDirectory>>
    let runner: RunnerProgram
    let folder: Awaited<ReturnType<typeof temporaryDirectory>>

    beforeAll(async () => {
      const program = (await findProgram?.()) ?? ''
      holder = await dataDirectory()
      folder = await temporaryDirectory()
      guildhall = await start({ GUILDHALL_DATA_DIR: holder.path, ...adminEnvironment })
      await post('/user/repos', { name: 'tools', auto_init: true })
      await rest('PUT', '/repos/root-user/tools/actions/secrets/WORD', { data: 'xyzzy-plugh' })
      const { token } = await post('/user/actions/runners/registration-token')
      runner = await RunnerProgram.register(program, { url: guildhall.url, token, name: 'hammer' })
      runner.start()
    }, 600_000)
    afterAll(async () => {
      await runner?.[Symbol.asyncDispose]()
      await guildhall?.end('SIGTERM')
      await holder?.[Symbol.asyncDispose]()
      await folder?.[Symbol.asyncDispose]()
    })

    it('runs a pushed workflow with outputs, needs, secrets, an artifact and a failing step', async () => {
      await push('story.yml', story)
      const run = await completedRun('story.yml')
      const jobs: Record<string, Job> = Object.fromEntries((await jobsOf(run.id)).map(job => [job.name, job]))
      const conclusions = Object.entries(jobs).map(([name, { conclusion }]) => [name, conclusion])
      expect(Object.fromEntries(conclusions)).toEqual({
        build: 'success',
        'test (1)': 'failure',
        'test (2)': 'success',
        report: 'success',
      })
      expect(run).toMatchObject({ event: 'push', conclusion: 'failure' })
      expect(jobs.build).toMatchObject({ runner_name: 'hammer', labels: [hostLabel] })
      const steps = jobs['test (1)']?.steps.map(({ name, conclusion }) => [name, conclusion])
      expect(steps).toEqual([
        ['Compare', 'success'],
        ['Break', 'failure'],
        ['Run echo "not reached"', 'skipped'],
        ['Clean up', 'success'],
      ])
      const log = await logOf(jobs.build)
      expect(log).toContain('the word is ***')
      expect(log).not.toContain('xyzzy')
      expect(log).toMatch(/::group::Details/)
      expect(await logOf(jobs['test (2)'])).toContain('root-user says hello to 2')
      expect(await logOf(jobs.report)).toContain('build success, test failure')
      const { artifacts } = await get('/repos/root-user/tools/actions/artifacts')
      expect(artifacts).toMatchObject([{ name: 'greeting' }])
      expect(await logOf(jobs.report)).toContain('downloaded: hello from the build')
    }, 120_000)

    it('stops a job that is canceled', async () => {
      await push('slow.yml', slow)
      const { run, job } = await runningJob('slow.yml', 'sleeping')
      await rest('POST', `/repos/root-user/tools/actions/runs/${run.id}/cancel`)
      const done = await completedRun('slow.yml')
      expect(done.conclusion).toBe('cancelled')
      // Matches only output, because the log also contains the commands themselves.
      expect(await logOf(job)).not.toMatch(/Z woke up/)
    }, 60_000)

    it('finishes its job and takes no other one while it is paused, and continues after it is resumed', async () => {
      const { runners } = await get('/user/actions/runners')
      const path = `/user/actions/runners/${runners[0].id}`
      await push('pause.yml', pause)
      const { run } = await runningJob('pause.yml', 'first begins')
      expect(await get(path)).toMatchObject({ status: 'online', busy: true, disabled: false })
      await rest('PATCH', path, { disabled: true })
      await expect
        .poll(async () => (await jobsOf(run.id)).map(job => job.status), { timeout: 20_000 })
        .toEqual(['completed', 'queued'])
      // Long enough for two polls of the runner.
      await new Promise(resolve => setTimeout(resolve, 1000))
      expect((await jobsOf(run.id)).map(job => job.status)).toEqual(['completed', 'queued'])
      expect(await get(path)).toMatchObject({ status: 'online', disabled: true })
      await rest('PATCH', path, { disabled: false })
      expect((await completedRun('pause.yml')).conclusion).toBe('success')
    }, 60_000)

    it('runs matrices from outputs, reusable workflows with secrets, and releases with the token of the job', async () => {
      await push('modern.yml', modern, { 'lib.yml': library })
      const run = await completedRun('modern.yml')
      const jobs = await jobsOf(run.id)
      const logs = await Promise.all(jobs.filter(({ conclusion }) => conclusion !== 'success').map(logOf))
      expect(logs.join('\n')).toBe('')
      expect(jobs.map(({ name }) => name).sort()).toEqual([
        'call / say',
        'last',
        'many (x)',
        'many (y)',
        'may not',
        'plan',
        'release',
      ])
      expect(run.conclusion).toBe('success')
      const [release] = await get('/repos/root-user/tools/releases')
      expect(release).toMatchObject({ tag_name: 'v1.0', name: 'One' })
      expect(release.assets.map(({ name }: { name: string }) => name).sort()).toEqual(['a.txt', 'b.txt'])
    }, 120_000)

    it('stops the run of a concurrency group for a newer one', async () => {
      await push('newest.yml', newest)
      const { run } = await runningJob('newest.yml', 'begun')
      await push('newest-again.yml', newest.replace('sleep 60', 'true'))
      expect((await completedRun('newest-again.yml')).conclusion).toBe('success')
      expect((await get(`/repos/root-user/tools/actions/runs/${run.id}`)).conclusion).toBe('cancelled')
    }, 90_000)

    it('exits after it is deleted, without errors in its earlier output', async () => {
      const complaints = runner
        .output()
        .split('\n')
        .filter(line => /level=(warn|error|fatal)|unknown/i.test(line))
      expect(complaints).toEqual([])
      const { runners } = await get('/user/actions/runners')
      await rest('DELETE', `/user/actions/runners/${runners[0].id}`)
      expect(await runner.ended()).not.toBe(0)
      expect(runner.output()).toMatch(/no longer registered/)
    }, 30_000)

    async function push(name: string, workflow: string, more: Record<string, string> = {}): Promise<void> {
      const tree = join(folder.path, name)
      const authorization = adminHeaders.authorization
      await gitOk(['clone', '-q', `${guildhall.url}/root-user/tools.git`, tree], { authorization })
      await gitOk(['rm', '-rq', '--ignore-unmatch', '.gitea'], { cwd: tree })
      for (const [file, text] of Object.entries({ [name]: workflow, ...more }))
        await writeFiles(join(tree, '.gitea/workflows'), file, text)
      await gitOk(['add', '.'], { cwd: tree })
      await gitOk(['commit', '-qm', `Add ${name}`], { cwd: tree })
      await gitOk(['push', '-q'], { cwd: tree, authorization })
    }

    async function runOf(file: string): Promise<Run | undefined> {
      const { workflow_runs: runs } = await get('/repos/root-user/tools/actions/runs')
      return runs.find((run: Run) => run.path.includes(file))
    }

    async function completedRun(file: string): Promise<Run> {
      await expect
        .poll(async () => (await runOf(file))?.status, { timeout: 60_000, interval: 200 })
        .toBe('completed')
      return (await runOf(file)) as Run
    }

    async function jobsOf(run: number): Promise<Job[]> {
      return (await get(`/repos/root-user/tools/actions/runs/${run}/jobs`)).jobs
    }

    async function logOf(job: Job | undefined): Promise<string> {
      const path = `/api/v1/repos/root-user/tools/actions/jobs/${job?.id}/logs`
      const response = await fetch(guildhall.url + path, { headers: adminHeaders })
      return await response.text()
    }

    /** Returns the first job of a workflow file's run, once its log contains the text. */
    async function runningJob(file: string, text: string): Promise<{ run: Run; job: Job }> {
      const look = async () => {
        const run = await runOf(file)
        const [job] = run ? await jobsOf(run.id) : []
        return run && job && (await logOf(job)).includes(text) ? { run, job } : undefined
      }
      await expect.poll(look, { timeout: 30_000, interval: 200 }).toBeTruthy()
      return (await look()) as { run: Run; job: Job }
    }

    const get = (path: string) => rest('GET', path)
    const post = (path: string, body?: object) => rest('POST', path, body)

    // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape.
    async function rest(method: string, path: string, body?: object): Promise<any> {
      const response = await fetch(`${guildhall.url}/api/v1${path}`, {
        method,
        headers: adminHeaders,
        ...(body && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
      return text ? JSON.parse(text) : undefined
    }
  })
})

interface Run {
  id: number
  path: string
  status: string
  conclusion: string
  event: string
}

interface Job {
  id: number
  name: string
  status: string
  conclusion: string
  labels: string[]
  runner_name: string
  steps: { name: string; conclusion: string }[]
}

async function writeFiles(folder: string, name: string, content: string): Promise<void> {
  const { mkdir, writeFile } = await import('node:fs/promises')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, name), content)
}

// Steps on the host use its Node.js. GITHUB_SERVER_URL is github.com, because stock clients reject other
// servers before they send anything.
const artifactScript = (statements: string): string =>
  [
    `import module from '${clients}/artifact-5.0.3/lib/artifact.js'`,
    `const client = new module.DefaultArtifactClient()`,
    statements,
  ].join(';')

const artifactStep = (statements: string): string => `
        env:
          GITHUB_SERVER_URL: https://github.com
          SCRIPT: ${JSON.stringify(artifactScript(statements))}
        run: node --input-type=module -e "$SCRIPT"`

const library = `
on:
  workflow_call:
    inputs: { word: { type: string, required: true } }
    outputs: { said: { value: "\${{ jobs.say.outputs.said }}" } }
jobs:
  say:
    runs-on: ${hostLabel}
    outputs: { said: "\${{ steps.say.outputs.said }}" }
    steps:
      - id: say
        env: { SECRET: "\${{ secrets.WORD }}" }
        run: echo "said=\${{ inputs.word }} and \${#SECRET}" >> "$GITHUB_OUTPUT"
`

const modern = `
on: push
jobs:
  plan:
    runs-on: ${hostLabel}
    outputs: { values: "\${{ steps.a.outputs.values }}" }
    steps:
      - id: a
        run: echo 'values=["x","y"]' >> "$GITHUB_OUTPUT"
  many:
    needs: plan
    runs-on: ${hostLabel}
    strategy: { matrix: { v: "\${{ fromJSON(needs.plan.outputs.values) }}" } }
    steps: [{ run: 'test "\${{ matrix.v }}" = x -o "\${{ matrix.v }}" = y' }]
  call:
    uses: ./.gitea/workflows/lib.yml
    with: { word: hi }
    secrets: inherit
  last:
    needs: [many, call]
    runs-on: ${hostLabel}
    steps: [{ run: 'test "\${{ needs.call.outputs.said }}" = "hi and 11"' }]
  release:
    runs-on: ${hostLabel}
    permissions: { contents: write }
    env: { TOKEN: "\${{ github.token }}", API: "\${{ github.api_url }}", SERVER: "\${{ github.server_url }}" }
    steps:
      - run: |
          set -e
          git clone -q "$SERVER/\${{ github.repository }}.git" tree
          cd tree
          git -c user.name=a -c user.email=a@b.c tag -a v1.0 -m One
          git -c http.extraHeader="Authorization: Bearer $TOKEN" push -q origin v1.0
          send() { curl -sS --fail-with-body -H "Authorization: Bearer $TOKEN" "$@"; }
          base="$API/repos/\${{ github.repository }}/releases"
          id=$(send "$base" --json '{"tag_name":"v1.0","name":"One"}' | tr ',' '\\n' | grep -m 1 '"id"' | tr -dc 0-9)
          for file in a.txt b.txt; do
            echo "$file" > "$file"
            send "$base/$id/assets?name=$file" -F "attachment=@$file" > /dev/null
          done
  may-not:
    name: may not
    runs-on: ${hostLabel}
    steps:
      - env: { TOKEN: "\${{ github.token }}" }
        run: |
          status=$(curl -sS -o answer -w '%{http_code}' -H "Authorization: Bearer $TOKEN" \\
            "\${{ github.api_url }}/repos/\${{ github.repository }}/releases" --json '{"tag_name":"v2.0"}')
          test "$status" = 403
          grep -q 'contents: write' answer
`

const newest = `
on: push
concurrency: { group: newest, cancel-in-progress: true }
jobs:
  slow:
    runs-on: ${hostLabel}
    steps: [{ run: 'echo begun; sleep 60' }]
`

const story = `
name: Story
on: push
jobs:
  build:
    runs-on: ${hostLabel}
    outputs:
      greeting: \${{ steps.make.outputs.greeting }}
    steps:
      - id: make
        run: echo "greeting=\${{ github.actor }} says hello" >> "$GITHUB_OUTPUT"
      - run: echo "the word is \${{ secrets.WORD }}"
      - run: |
          echo "::group::Details"
          echo "inside"
          echo "::endgroup::"
          echo "hello from the build" > greeting.txt
      - name: Upload
        ${artifactStep(`await client.uploadArtifact('greeting', ['greeting.txt'], '.')`).trim()}
  test:
    needs: build
    runs-on: ${hostLabel}
    strategy:
      fail-fast: false
      matrix:
        part: [1, 2]
    steps:
      - name: Compare
        run: echo "\${{ needs.build.outputs.greeting }} to \${{ matrix.part }}"
      - name: Break
        run: test "\${{ matrix.part }}" = 2
      - run: echo "not reached"
      - name: Clean up
        if: always()
        run: echo "cleaned up"
  report:
    needs: [build, test]
    if: always()
    runs-on: ${hostLabel}
    steps:
      - run: echo "build \${{ needs.build.result }}, test \${{ needs.test.result }}"
      - name: Download
        ${artifactStep(`const { artifact } = await client.getArtifact('greeting'); await client.downloadArtifact(artifact.id, { path: 'here' }); console.log('downloaded: ' + (await import('node:fs')).readFileSync('here/greeting.txt', 'utf8'))`).trim()}
`

const slow = `
name: Slow
on: push
jobs:
  sleep:
    runs-on: ${hostLabel}
    steps:
      - run: |
          echo sleeping
          sleep 60
          echo woke up
`

const pause = `
name: Pause
on: push
jobs:
  first:
    runs-on: ${hostLabel}
    steps:
      - run: |
          echo first begins
          sleep 3
  second:
    runs-on: ${hostLabel}
    steps:
      - run: echo second
`
