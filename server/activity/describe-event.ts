import {
  type FactsOf,
  type FeedKind,
  isFeedEvent,
  type PushedCommit,
  type StoredEvent,
} from '@/server/events'
import { neverTime, wireTime } from '@/server/kernel/wire'
import type { activityKinds } from './schema'

/** An event as the wire shows it. */
export interface FeedEntry {
  op_type: (typeof activityKinds)[number]
  /** Full name, such as `refs/heads/main`; empty for what concerns no ref. */
  ref_name: string
  /** Of a push: JSON, in the shape that existing clients parse out of the text. Of a transfer: the former `owner/name`, if the viewer may see that owner. */
  content: string
}

/**
 * Describes an event in the repository `owner/name`; undefined for kinds that feeds leave out.
 * @param names Names of accounts that the viewer may see, by their ids.
 */
export function describeEvent(
  event: StoredEvent,
  repository: string,
  names: ReadonlyMap<number, string>,
): FeedEntry | undefined {
  return isFeedEvent(event) ? entryOf(event, repository, names) : undefined
}

// Without a default: a new kind of feed event needs an entry here before this compiles.
function entryOf(
  event: StoredEvent<FeedKind>,
  repository: string,
  names: ReadonlyMap<number, string>,
): FeedEntry {
  switch (event.kind) {
    case 'repository.created':
      return { op_type: 'create_repo', ref_name: '', content: '' }
    case 'repository.transferred': {
      const { fromId = 0, name = '' } = event.facts
      const from = names.get(fromId)
      return { op_type: 'transfer_repo', ref_name: '', content: from ? `${from}/${name}` : '' }
    }
    case 'git.pushed': {
      const content = pushContent(event.facts, repository)
      return { op_type: 'commit_repo', ref_name: event.facts.ref ?? '', content }
    }
    case 'ref.created': {
      const { ref = '', refType } = event.facts
      return { op_type: refType === 'tag' ? 'push_tag' : 'commit_repo', ref_name: ref, content: '' }
    }
    case 'ref.deleted': {
      const { ref = '', refType } = event.facts
      return { op_type: refType === 'tag' ? 'delete_tag' : 'delete_branch', ref_name: ref, content: '' }
    }
    case 'release.published':
    case 'release.updated': {
      const { tag = '', title = '' } = event.facts
      return { op_type: 'publish_release', ref_name: `refs/tags/${tag}`, content: title }
    }
  }
}

function pushContent(facts: Partial<FactsOf<'git.pushed'>>, repository: string): string {
  const { before = '', after = '', summary = '', commits = 0, newest = [] } = facts
  const shown = newest.map(commitOf)
  const head = shown.find(commit => commit.Sha1 === after)
  return JSON.stringify({
    Commits: shown,
    HeadCommit: head ?? { ...noCommit, Sha1: after, Message: summary },
    CompareURL: /^0*$/.test(before) ? '' : `${repository}/compare/${before}...${after}`,
    Len: commits,
  })
}

const commitOf = ({ sha, message, author, committer, date }: PushedCommit) => ({
  Sha1: sha,
  Message: message,
  AuthorEmail: author.email,
  AuthorName: author.name,
  CommitterEmail: committer.email,
  CommitterName: committer.name,
  Timestamp: wireTime(new Date(date)),
})

const noCommit = {
  Sha1: '',
  Message: '',
  AuthorEmail: '',
  AuthorName: '',
  CommitterEmail: '',
  CommitterName: '',
  Timestamp: neverTime,
}
