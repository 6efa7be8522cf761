import type { ServiceCtx } from '@/server/kernel/ctx'
import { wireTime } from '@/server/kernel/wire'
import type { SeenRepository } from '../find'
import type { RefInfo } from '../git'
import { mayPush } from '../policy'
import type { Branch, Tag } from './schema'

type ViewCtx = Pick<ServiceCtx, 'config'>
type Person = RefInfo['commit']['author']

/** The branch as this caller may use it. No branch is protected here. */
export function viewBranch(ctx: ViewCtx, seen: SeenRepository, { name, commit }: RefInfo): Branch {
  const usable = mayPush(seen) && seen.repository.archived_at === null
  return {
    name,
    commit: {
      id: commit.sha,
      message: commit.message,
      url: `${pageOf(ctx, seen)}/commit/${commit.sha}`,
      author: viewPerson(commit.author),
      committer: viewPerson(commit.committer),
      timestamp: wireTime(commit.author.date),
      added: null,
      removed: null,
      modified: null,
    },
    protected: false,
    required_approvals: 0,
    enable_status_check: false,
    status_check_contexts: [],
    user_can_push: usable,
    user_can_merge: usable,
    effective_branch_protection_name: '',
  }
}

export function viewTag(ctx: ViewCtx, seen: SeenRepository, { name, commit, tag }: RefInfo): Tag {
  const archive = `${pageOf(ctx, seen)}/archive/${name.split('/').map(encodeURIComponent).join('/')}`
  return {
    name,
    message: (tag?.message ?? commit.message).trim(),
    id: tag?.sha ?? commit.sha,
    commit: {
      url: `${ctx.config.baseUrl}/api/v1/repos/${fullName(seen)}/git/commits/${commit.sha}`,
      sha: commit.sha,
      created: wireTime(commit.committer.date),
    },
    zipball_url: `${archive}.zip`,
    tarball_url: `${archive}.tar.gz`,
  }
}

const fullName = ({ owner, repository }: SeenRepository): string => `${owner.name}/${repository.name}`
const pageOf = ({ config }: ViewCtx, seen: SeenRepository): string => `${config.baseUrl}/${fullName(seen)}`

// An address in a commit proves nothing, so that no account is named by it.
const viewPerson = ({ name, email }: Person): Branch['commit']['author'] => ({ name, email, username: '' })
