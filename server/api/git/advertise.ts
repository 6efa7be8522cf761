import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { repositoryPath } from '@/server/repos/storage'
import type { Authorized } from './authorize'
import { endWithClient, startService } from './git-call'
import type { GitService } from './git-path'
import type { GitLimits } from './limits'
import { gitHeaders, isVersion2, protocolVariable } from './protocol'
import type { Output } from './reply'
import { fetchSettings, pushSettings } from './settings'
import { streamOutput } from './stream-output'

/**
 * Responds to the first request of every Git command: with the list of refs or, in protocol version 2, with the
 * server's capabilities.
 * @param greeting Bytes to send before Git's own output.
 */
export async function advertise(
  { ctx, opened }: Authorized,
  service: GitService,
  { offered, greeting }: { offered: string; greeting: string },
  output: Output,
  { pack }: GitLimits,
): Promise<void> {
  const { config, log, requestId } = ctx
  const repository = repositoryPath(config, opened.seen.repository.storage_key)
  const headers = gitHeaders(`application/x-${service}-advertisement`)
  const remember =
    service === 'git-upload-pack' && isVersion2(offered) ? await capabilitiesOf(repository) : undefined
  if (remember?.known) return void output.begin(headers).end(remember.known)
  const started = startService(
    [service.slice('git-'.length), '--stateless-rpc', '--advertise-refs'],
    repository,
    service === 'git-receive-pack' ? pushSettings(config) : fetchSettings,
    { log, requestId, environment: protocolVariable(offered) },
  )
  endWithClient(started.process, output.disconnected)
  started.process.stdin.end()
  const said: Buffer[] = []
  const refs = greeted(greeting, started.process.stdout, chunk => remember && said.push(chunk))
  const answer = await streamOutput(refs, output, headers, { pace: pack })
  if (await started.ended()) await remember?.keep(Buffer.concat(said))
  else if (!output.disconnected.aborted) throw new Error(`git ${service} could not list the refs`)
  answer.finish()
}

// Together with Git's first output: until then a failure can still be answered with an error status.
async function* greeted(
  greeting: string,
  output: AsyncIterable<Buffer>,
  heard: (chunk: Buffer) => void,
): AsyncGenerator<Buffer> {
  let first = true
  for await (const chunk of output) {
    heard(chunk)
    yield first ? Buffer.concat([Buffer.from(greeting), chunk]) : chunk
    first = false
  }
}

// Git may be upgraded while the server runs.
const keptMs = 60_000
const maxKept = 100
const kept = new Map<string, { said: Buffer; at: number }>()

/**
 * Returns Git's capabilities for a repository, from the cache if another repository with the same configuration was
 * asked for recently. In protocol version 2 the response contains nothing else, and nothing about the repository.
 */
async function capabilitiesOf(
  repository: string,
): Promise<{ known: Buffer | undefined; keep: (said: Buffer) => Promise<void> } | undefined> {
  const read = (): Promise<string | undefined> =>
    readFile(join(repository, 'config'), 'utf8').catch(() => undefined)
  const settings = await read()
  // Another file could change without this one.
  if (settings === undefined || /\binclude|worktreeConfig/i.test(settings)) return undefined
  const last = kept.get(settings)
  return {
    known: last && performance.now() - last.at < keptMs ? last.said : undefined,
    async keep(said) {
      if ((await read()) !== settings) return
      const [oldest] = kept.keys()
      kept.delete(settings)
      if (kept.size >= maxKept && oldest !== undefined) kept.delete(oldest)
      kept.set(settings, { said, at: performance.now() })
    },
  }
}
