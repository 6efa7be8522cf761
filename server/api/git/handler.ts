import { isAnonymous, signedInUser } from '@/server/kernel/caller'
import { notFound } from '@/server/kernel/errors'
import { defaultMemory } from '@/server/kernel/git/memory'
import type { Call, Connection, Handler } from '@/server/kernel/http/call'
import { requestContext, type Services } from '@/server/services'
import type { Mount } from '../mount'
import { advertise } from './advertise'
import { type Authorized, authorize, reauthorize } from './authorize'
import { autoGcOf } from './auto-gc'
import { GitHttpError, refuseInText } from './errors'
import { fetchPack, readQuestion, sentQuestion } from './fetch'
import { type GitService, type GitTarget, isGitService, parseGitPath } from './git-path'
import { defaultLimits, type GitLimits, gitQueuesOf, type Reserve } from './limits'
import { greetingOf, offeredProtocol } from './protocol'
import { sentPush, takePush } from './push'
import { openReply, type Reply } from './reply'

/** Mount of clone, fetch and push: Git's smart protocol over HTTP. */
export const gitMount: Mount = {
  name: 'git',
  match: path => parseGitPath(path) !== undefined,
  pacesBody: path => isGitService(parseGitPath(path)?.part ?? null),
  createHandler: services => createGitHandler(services),
}

/** Creates the handler of Git's smart protocol. It responds to every failure itself, in plain text. */
export function createGitHandler(services: Services, limits: GitLimits = defaultLimits): Handler {
  const { log } = services
  const { listings, questions, fetches, pushes, memory } = gitQueuesOf(services, limits)
  const autoGc = autoGcOf(services)

  async function work(call: Call, connection: Connection, reply: Reply): Promise<void> {
    const target = parseGitPath(call.path)
    if (!target) throw notFound()
    const service = serviceOf(target, call)
    const { remoteAddress, disconnected } = connection
    const ctx = requestContext(services, connection)
    const authorized = await authorize(ctx, call.headers.get('authorization'), service, target.names)
    const { caller } = authorized.ctx
    const account = signedInUser(caller)?.id
    const client = { address: remoteAddress, isAnonymous: isAnonymous(caller), account, disconnected }
    // The last wait, after which Git is not started for a client that has disconnected.
    const reserve: Reserve = (wanted, use) =>
      memory(client)(wanted, async granted => {
        if (!reply.disconnected.aborted) await use(granted)
      })
    const offered = offeredProtocol(call.headers.get('git-protocol') ?? '')
    if (target.part === 'info/refs') {
      if (authorized.opened.wasRenamed) throw movedTo(target, authorized, call)
      const list = () =>
        advertise(authorized, service, { offered, greeting: greetingOf(service, offered) }, reply, limits)
      await listings(client, () => reserve(defaultMemory, list))
    } else if (service === 'git-upload-pack') {
      const question = await questions(client, () => readQuestion(sentQuestion(call), limits))
      await fetches(client, () => fetchPack(authorized, offered, reply, question, limits, reserve))
    } else {
      // A client that has sent a whole push may disconnect before it is processed.
      const again = () => reauthorize({ ...authorized.ctx, disconnected: undefined }, service, target.names)
      const push = () => sentPush(call, offered, limits)
      await pushes(client, () => takePush(authorized, push(), reply, again, limits, reserve))
      autoGc(authorized.opened.seen.repository, account)
    }
  }
  return (call, connection) => {
    const reply = openReply(connection.disconnected?.(), error =>
      refuseInText(error, { log, requestId: connection.requestId }),
    )
    void work(call, connection, reply).catch(reply.fail).then(reply.close)
    return reply.answer
  }
}

/**
 * Returns the service that a request is for.
 * @throws {GitHttpError} for a service that no current Git client requests.
 */
function serviceOf({ part }: GitTarget, call: Call): GitService {
  if (part === 'dumb') throw needsSmart()
  if (part === 'info/refs') {
    const service = new URLSearchParams(call.query).get('service')
    if (!isGitService(service)) throw needsSmart()
    requireMethod(call, 'GET')
    return service
  }
  requireMethod(call, 'POST')
  const wanted = `application/x-${part}-request`
  if (call.headers.get('content-type')?.split(';')[0]?.trim() !== wanted) {
    throw new GitHttpError(415, `Send Content-Type: ${wanted}.`)
  }
  return part
}

const needsSmart = (): GitHttpError =>
  new GitHttpError(403, 'Only the smart HTTP protocol is supported: use Git 1.6.6 or later.')

function requireMethod(call: Call, method: string): void {
  if (call.method === method) return
  throw new GitHttpError(405, `Use the ${method} method here.`, { Allow: method })
}

// Git sends its further requests to the new address.
function movedTo({ base }: GitTarget, { opened }: Authorized, { query }: Call): GitHttpError {
  const { owner, repository } = opened.seen
  const suffix = base.endsWith('.git') ? '.git' : ''
  const Location = `/${owner.name}/${repository.name}${suffix}/info/refs?${query}`
  return new GitHttpError(301, `This repository is now at ${Location.split('/info/')[0]}.`, { Location })
}
