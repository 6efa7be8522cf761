import { isAnonymous, signedInUser } from '@/server/kernel/caller'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { type DomainError, forbidden } from '@/server/kernel/errors'
import type { Client } from '@/server/kernel/fair-limit'
import { defaultMemory, memoryFor } from '@/server/kernel/git/memory'
import { recordKeyUse } from '@/server/keys'
import { type RepositoryNames, viewRepository } from '@/server/repos'
import { countPackedObjects, repositoryPath } from '@/server/repos/storage'
import type { Services } from '@/server/services'
import { advertise } from '../git/advertise'
import { type Authorized, reauthorize } from '../git/authorize'
import { autoGcOf } from '../git/auto-gc'
import { explainGitError, notUnderstood } from '../git/errors'
import { fetchPack, readQuestion } from '../git/fetch'
import { endWithClient, startGit } from '../git/git-call'
import { lfsNotSupported } from '../git/lfs'
import { defaultLimits, type GitLimits, type GitQueues, gitQueuesOf, type Reserve } from '../git/limits'
import { atPace } from '../git/pace'
import { isVersion2, offeredProtocol, protocolVariable } from '../git/protocol'
import { takePush } from '../git/push'
import { pipeBody } from '../git/request-body'
import { fetchSettings } from '../git/settings'
import { streamOutput } from '../git/stream-output'
import { type GitCommand, type GitCommandService, parseGitCommand } from './command'
import { deploySessionsOf } from './deploy-sessions'
import { createRequestReader } from './request-reader'
import { answering, type GitSession } from './session'

// While a client unpacks a fetch or packs a push, it sends nothing.
const timeoutMs = 15 * 60_000
// For both sides, if Git and the client are connected directly.
const idleTimeoutMs = 2 * 60_000
// The client's lists of commits it wants and has, as text.
const maxNegotiationBytes = 64 * 1024 * 1024

/**
 * Runs the Git command of a client that signed in over SSH, with the same access rules, limits, hooks and events as over
 * HTTP. Failures are shown to the person as a sentence.
 * @returns the exit code
 */
export async function serveGitSession(
  services: Services,
  ctx: ServiceCtx,
  session: GitSession,
  limits: GitLimits = defaultLimits,
): Promise<number> {
  try {
    const command = session.command === undefined ? undefined : parseGitCommand(session.command)
    if (!command) throw notServed(session.command)
    const { names } = command
    if (!names) throw forbidden('This is not a valid repository path. Use /OWNER/NAME.git.')
    const isWell = await serve(services, ctx, { ...command, names }, session, limits)
    return isWell && !session.disconnected.aborted ? 0 : 1
  } catch (error) {
    if (!session.disconnected.aborted) session.printLine(`Guildhall: ${explainGitError(error, ctx).text}`)
    return 1
  }
}

const notServed = (command = ''): DomainError =>
  forbidden(
    command.startsWith('git-lfs-')
      ? lfsNotSupported
      : 'Only Git commands are supported: clone, fetch, push, and archive.',
  )

/** Everything needed to serve one command. */
interface Work {
  authorized: Authorized
  /** Authorizes the command again, with the current access. */
  again: () => Promise<Authorized>
  session: GitSession
  offered: string
  client: Client
  reserve: Reserve
  queues: GitQueues
  limits: GitLimits
}

async function serve(
  services: Services,
  ctx: ServiceCtx,
  { service, names }: GitCommand & { names: RepositoryNames },
  session: GitSession,
  limits: GitLimits,
): Promise<boolean> {
  const need = service === 'git-upload-archive' ? 'git-upload-pack' : service
  // A connection can be old, so the account and its access are checked again for each command.
  const authorized = await reauthorize(ctx, need, names)
  const { opened } = authorized
  const user = signedInUser(authorized.ctx.caller)
  if (opened.wasRenamed) {
    session.printLine(`Guildhall: This repository is now at ${viewRepository(ctx, opened.seen).ssh_url}`)
  }
  const { remoteAddress: address } = ctx
  const disconnected = () => session.disconnected
  const client = { address, isAnonymous: isAnonymous(ctx.caller), account: user?.id, disconnected }
  const queues = gitQueuesOf(services, limits)
  const work: Work = {
    authorized,
    // A client that has sent a whole push may disconnect before it is processed.
    again: () => reauthorize({ ...ctx, disconnected: undefined }, need, names),
    session,
    offered: offeredProtocol(session.protocol),
    client,
    // The last wait, after which Git is not started for a client that has disconnected.
    reserve: (wanted, use) =>
      queues.memory(client)(wanted, async granted => {
        if (!session.disconnected.aborted) await use(granted)
      }),
    queues,
    limits,
  }
  const { repository, access } = opened.seen
  const { caller } = authorized.ctx
  if (caller.kind !== 'deployKey') return await run(services, work, service)
  recordKeyUse(ctx, { id: caller.keyId, owner: undefined }, repository.id).catch(error =>
    ctx.log.warn({ requestId: ctx.requestId, err: error }, 'could not record the use of a deploy key'),
  )
  // Public repositories can be read without the key.
  const isOpenedByKey = access.units['repo.code'].reasons.some(({ source }) => source === 'deployKey')
  if (!isOpenedByKey) return await run(services, work, service)
  const running = deploySessionsOf(services)
  const one = { keyId: caller.keyId, repositoryId: repository.id, session }
  running.add(one)
  return await run(services, work, service).finally(() => running.delete(one))
}

/** @returns whether Git succeeded; true for commands in which Git reports failures to the client itself */
async function run(services: Services, work: Work, service: GitCommandService): Promise<boolean> {
  if (service === 'git-receive-pack') {
    await servePush(work)
    autoGcOf(services)(work.authorized.opened.seen.repository, work.client.account)
  } else if (service === 'git-upload-pack' && isVersion2(work.offered)) await serveRequests(work)
  else return await serveNegotiation(work, service)
  return true
}

async function servePush(work: Work): Promise<void> {
  const { authorized, again, session, offered, client, reserve, queues, limits } = work
  const list = { offered, greeting: '' }
  await queues.listings(client, () =>
    reserve(defaultMemory, () =>
      answering(session, limits.pack, output =>
        advertise(authorized, 'git-receive-pack', list, output, limits),
      ),
    ),
  )
  const reader = createRequestReader(session.input.iterator({ destroyOnReturn: false }), timeoutMs)
  if (session.disconnected.aborted || !(await reader.begins())) return
  await queues.pushes(client, () => {
    // Up to the pack, which Git starts to create after it has sent the commands. From there on `takePush` sets the pace.
    const body = atPace({ ...limits.pack, graceMs: timeoutMs }, reader.rest())
    const sent = { body, gzipped: false, offered, discard: () => void session.input.resume() }
    return answering(session, limits.pack, output =>
      takePush(authorized, sent, output, again, limits, reserve),
    )
  })
}

/** Serves a fetch with version 2 of the protocol, whose requests are each served like a request over HTTP. */
async function serveRequests(work: Work): Promise<void> {
  const { authorized, again, session, offered, client, reserve, queues, limits } = work
  const list = { offered, greeting: '' }
  await queues.listings(client, () =>
    reserve(defaultMemory, () =>
      answering(session, limits.pack, output =>
        advertise(authorized, 'git-upload-pack', list, output, limits),
      ),
    ),
  )
  const reader = createRequestReader(session.input.iterator({ destroyOnReturn: false }), timeoutMs)
  while (!session.disconnected.aborted && (await reader.begins())) {
    const now = await again()
    const sent = { body: reader.request(), gzipped: false, discard: () => undefined }
    const question = await queues.questions(client, () => readQuestion(sent, limits))
    await queues.fetches(client, () =>
      answering(session, limits.pack, output => fetchPack(now, offered, output, question, limits, reserve)),
    )
  }
}

/** Connects Git and the client directly, for fetches with older versions of the protocol and for archives. */
async function serveNegotiation(
  { authorized: { ctx, opened }, session, offered, client, reserve, queues, limits }: Work,
  service: 'git-upload-pack' | 'git-upload-archive',
): Promise<boolean> {
  let isWell = false
  const { config, log, requestId } = ctx
  const { storage_key, size_kib: storedKib } = opened.seen.repository
  const repository = repositoryPath(config, storage_key)
  const args = service === 'git-upload-pack' ? ['upload-pack', '--strict'] : ['upload-archive']
  await queues.fetches(client, async () => {
    const objects = await countPackedObjects(repository)
    await reserve(memoryFor({ storedKib, objects }), memory =>
      answering(session, limits.pack, async output => {
        const options = { settings: fetchSettings, environment: protocolVariable(offered), memory }
        const started = startGit([...args, repository], options, { log, requestId })
        endWithClient(started.process, session.disconnected)
        const idle = setTimeout(() => started.process.kill('SIGTERM'), idleTimeoutMs)
        const body = noting(session.input.iterator({ destroyOnReturn: false }), () => idle.refresh())
        const discard = (): void => void session.input.resume()
        pipeBody({ body, gzipped: false, discard }, started.process.stdin, {
          limitBytes: maxNegotiationBytes,
        })
        const said = noting(started.process.stdout, () => idle.refresh())
        await streamOutput(said, output, {}, { pace: limits.pack }).finally(() => clearTimeout(idle))
        isWell = await started.ended()
        // If an archive cannot be created, Git itself has told the client why.
        if (!isWell && service === 'git-upload-pack' && !session.disconnected.aborted) throw notUnderstood()
      }),
    )
  })
  return isWell
}

async function* noting(source: AsyncIterable<Buffer>, moved: () => void): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    moved()
    yield chunk
  }
}
