import { encodePath } from '@/server/kernel/url-path'
import type { User } from '@/server/users/schema'
import type { HookBodies } from '../payload/bodies'
import type { HookPayload } from '../payload/types'
import { linkable, type Message, type Part, part, say, type Tone } from './message'

type Sentence = Omit<Message, 'sender' | 'lines' | 'url'> & { lines?: Part[][]; url?: string | undefined }
type Sentences = { [T in keyof HookBodies]: (body: HookBodies[T]) => Sentence }
type Repository = HookBodies['create']['repository']
type Conclusion = NonNullable<HookBodies['workflow_run']['workflow_run']['conclusion']>

/** Describes an event in one plain sentence for chats, with the commits of a push as lines below it. */
export function messageOf({ eventType, body }: HookPayload): Message {
  const written = (sentences[eventType] as (body: HookPayload['body']) => Sentence)(body)
  const url = written.url === undefined ? undefined : linkable(written.url)
  const { sender } = body
  return {
    sentence: written.sentence,
    lines: written.lines ?? [],
    ...(url === undefined ? {} : { url }),
    tone: written.tone,
    sender: { ...person(sender), avatar: linkable(sender.avatar_url) },
  }
}

const sentences: Sentences = {
  push({ ref, commits, total_commits: total, compare_url: compareUrl, repository, sender }) {
    const count = part(total === 1 ? '1 commit' : `${total} commits`, compareUrl || commits[0]?.url)
    const more = total - commits.length
    return {
      sentence: say`${person(sender)} pushed ${count} to ${refLink(ref, repository)} in ${repositoryLink(repository)}`,
      lines: [
        ...commits.map(
          ({ id, url, message, author }) =>
            say`${part(id.slice(0, 10), url)} ${part(message, undefined, 200)} (${part(author.name)})`,
        ),
        ...(more > 0 ? [say`and ${part(`${more} more`, compareUrl)}`] : []),
      ],
      url: compareUrl || commits[0]?.url || repository.html_url,
      tone: 'neutral',
    }
  },

  create({ ref, ref_type: type, repository, sender }) {
    const link = refLink(`refs/${type === 'tag' ? 'tags' : 'heads'}/${ref}`, repository)
    return {
      sentence: say`${person(sender)} created the ${part(type)} ${link} in ${repositoryLink(repository)}`,
      url: link.url ?? repository.html_url,
      tone: 'good',
    }
  },

  delete: ({ ref, ref_type: type, repository, sender }) => ({
    sentence: say`${person(sender)} deleted the ${part(type)} ${part(ref)} in ${repositoryLink(repository)}`,
    url: repository.html_url,
    tone: 'caution',
  }),

  repository: ({ action, repository, sender }) =>
    action === 'deleted'
      ? {
          sentence: say`${person(sender)} deleted the repository ${part(repository.full_name)}`,
          tone: 'caution',
        }
      : {
          sentence:
            action === 'created'
              ? say`${person(sender)} created the repository ${repositoryLink(repository)}`
              : say`${person(sender)} transferred a repository, which is now ${repositoryLink(repository)}`,
          url: repository.html_url,
          tone: 'good',
        },

  release({ action, release, repository, sender }) {
    const url = action === 'deleted' ? undefined : release.html_url
    const title = part(release.name || release.tag_name, url)
    return {
      sentence: say`${person(sender)} ${part(action)} the release ${title} in ${repositoryLink(repository)}`,
      url: url ?? repository.html_url,
      tone: action === 'published' ? 'good' : action === 'deleted' ? 'caution' : 'neutral',
    }
  },

  status({ sha, context, state, description, target_url, repository }) {
    const commit = part(sha.slice(0, 10), `${repository.html_url}/commit/${sha}`)
    const about = context ? part(context, target_url || undefined) : part('status', target_url || undefined)
    return {
      sentence: say`${about} of ${commit} in ${repositoryLink(repository)}: ${part(state)}`,
      lines: description ? [say`${part(description, undefined, 200)}`] : [],
      url: target_url || `${repository.html_url}/commit/${sha}`,
      tone: tones[state],
    }
  },

  workflow_run({ action, workflow, workflow_run: run, repository, sender }) {
    const name = part(`${workflow.name || run.path} #${run.run_number}`, run.html_url)
    const where = repositoryLink(repository)
    return {
      sentence:
        action === 'requested'
          ? say`${person(sender)} started ${name} in ${where}`
          : say`${name} in ${where} ${how(action, run.conclusion)}`,
      lines: run.display_title ? [say`${part(run.display_title, undefined, 200)}`] : [],
      url: run.html_url,
      tone: toneOf(run.conclusion),
    }
  },

  workflow_job: ({ action, workflow_job: job, repository }) => ({
    sentence: say`The job ${part(job.name, job.html_url)} in ${repositoryLink(repository)} ${how(action, job.conclusion)}`,
    url: job.html_url,
    tone: toneOf(job.conclusion),
  }),

  organization({ action, organization, sender, member, changes }) {
    const [who, name] = [person(sender), part(organization.username)]
    const tone = action === 'deleted' || action === 'member_removed' ? 'caution' : 'neutral'
    const said = {
      created: say`${who} created the organization ${name}`,
      deleted: say`${who} deleted the organization ${name}`,
      edited: say`${who} changed the organization ${name}`,
      renamed: say`${who} renamed the organization ${name}`,
      member_added: say`${who} added ${person(member)} to ${name}`,
      member_removed: removed(sender, member, say`${name}`),
    }[action]
    if (!changes) return { sentence: said, tone }
    const details =
      'name' in changes ? say` from ${part(changes.name.from)}` : say`: ${part(changes.fields.join(', '))}`
    return { sentence: [...said, ...details], tone }
  },

  team({ action, team, organization, repository, sender }) {
    const [who, whole] = [person(sender), say`the team ${part(team.name)} in ${part(organization.username)}`]
    const where = repository ? repositoryLink(repository) : part('a repository')
    const sentence = {
      created: say`${who} created ${whole}`,
      edited: say`${who} changed ${whole}`,
      deleted: say`${who} deleted ${whole}`,
      added_to_repository: say`${who} gave ${whole} access to ${where}`,
      removed_from_repository: say`${who} removed access to ${where} from ${whole}`,
    }[action]
    return { sentence, tone: action === 'deleted' ? 'caution' : 'neutral' }
  },

  membership({ action, member, team, organization, sender }) {
    const whole = say`the team ${part(team.name)} in ${part(organization.username)}`
    return action === 'added'
      ? { sentence: say`${person(sender)} added ${person(member)} to ${whole}`, tone: 'neutral' }
      : { sentence: removed(sender, member, whole), tone: 'caution' }
  },

  key({ action, key, user, sender }) {
    const whose = user.id === sender.id ? [] : say` for ${person(user)}`
    const done = part(action === 'created' ? 'added' : 'deleted')
    return {
      sentence: say`${person(sender)} ${done} the key ${part(key.title)} (${part(key.fingerprint)})${whose}`,
      tone: action === 'created' ? 'neutral' : 'caution',
    }
  },

  runner({ action, runner, organization, repository, sender }) {
    const where = repository ? repositoryLink(repository) : organization && part(organization.username)
    const done = part(action === 'edited' ? 'changed' : action)
    return {
      sentence: say`${person(sender)} ${done} the runner ${part(runner.name)}${where ? say` in ${where}` : []}`,
      tone: action === 'deleted' ? 'caution' : 'neutral',
    }
  },

  artifact({ action, artifact, repository, sender }) {
    const whole = say`artifact ${part(artifact.name)} in ${repositoryLink(repository)}`
    return {
      sentence:
        action === 'expired'
          ? say`The ${whole} expired`
          : say`${person(sender)} ${part(action)} the ${whole}`,
      url: repository.html_url,
      tone: 'neutral',
    }
  },

  ping: ({ sender }) => ({
    sentence: say`${person(sender)} sent a test message`,
    tone: 'neutral',
  }),
}

const person = (user: User | undefined): Part => part(user?.username || 'someone', user?.html_url)

const repositoryLink = ({ full_name, html_url }: Repository): Part => part(full_name, html_url, 160)

function refLink(ref: string, { html_url }: Repository): Part {
  const [, kind, name] = /^refs\/(heads|tags)\/(.*)$/s.exec(ref) ?? []
  if (name === undefined) return part(ref)
  return part(name, `${html_url}/src/${kind === 'tags' ? 'tag' : 'branch'}/${encodePath(name)}`)
}

const removed = (sender: User, member: User | undefined, from: Part[]): Part[] =>
  sender.id === member?.id
    ? say`${person(member)} left ${from}`
    : say`${person(sender)} removed ${person(member)} from ${from}`

const outcomes: Readonly<Record<Conclusion, [words: string, tone: Tone]>> = {
  success: ['succeeded', 'good'],
  failure: ['failed', 'bad'],
  cancelled: ['was canceled', 'caution'],
  skipped: ['was skipped', 'neutral'],
}

const tones: Readonly<Record<HookBodies['status']['state'], Tone>> = {
  pending: 'neutral',
  success: 'good',
  skipped: 'neutral',
  warning: 'caution',
  error: 'bad',
  failure: 'bad',
}

const toneOf = (conclusion: Conclusion | undefined): Tone =>
  conclusion ? outcomes[conclusion][1] : 'neutral'

function how(status: string, conclusion: Conclusion | undefined): Part {
  if (conclusion) return part(outcomes[conclusion][0])
  if (status === 'completed') return part('ended')
  return part(status === 'in_progress' ? 'is running' : `is ${status}`)
}
