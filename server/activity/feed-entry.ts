import {
  type FactsOf,
  type FeedKind,
  isFeedEvent,
  type PushedCommit,
  type StoredEvent,
} from '@/server/events'
import { neverTime, wireTime } from '@/server/kernel/wire'
import type { activityKinds } from './schema'

/** An event as activity feeds show it on the wire. */
export interface FeedEntry {
  op_type: (typeof activityKinds)[number]
  /** Full name of the ref, such as `refs/heads/main`; empty for an event without one. */
  ref_name: string
  /**
   * For a push, JSON in the shape that Gitea clients parse. For a transfer, the former `owner/name` if the viewer can see
   * that owner. For a release, its title.
   */
  content: string
}

/**
 * Converts an event to its feed entry; undefined for kinds that feeds leave out.
 * @param repository `owner/name` of the repository the event happened in.
 * @param names Names of accounts that the viewer can see, by ID.
 */
export function feedEntryOf(
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
