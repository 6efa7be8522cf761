import { pushRefusal } from '@/server/access'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { wireTime } from '@/server/kernel/wire'
import { archiveUrls } from '../archives'
import type { RepositoryWithAccess } from '../load'
import type { BranchTip as WireTip } from '../schema'
import { type BranchTip, firstLine, type RefInfo } from '../storage'
import type { Branch, Tag, TagTip, Verification } from './schema'

type ViewCtx = Pick<ServiceCtx, 'config'>
type Person = RefInfo['commit']['author']

/** Shows a branch, with what the caller may do with it. No branch is protected. */
export function viewBranch(ctx: ViewCtx, found: RepositoryWithAccess, { name, commit }: RefInfo): Branch {
  const usable = pushRefusal(found) === null
  return {
    name,
    commit: {
      id: commit.sha,
      message: commit.message,
      url: `${pageOf(ctx, found)}/commit/${commit.sha}`,
      author: viewPerson(commit.author),
      committer: viewPerson(commit.committer),
      verification: viewVerification(commit.signed),
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

/** Shows a tag. The URL of what is not served is empty. */
export function viewTag(ctx: ViewCtx, found: RepositoryWithAccess, { name, commit, tag }: RefInfo): Tag {
  return {
    name,
    message: (tag?.message ?? commit.message).trim(),
    id: tag?.sha ?? commit.sha,
    commit: {
      url: '',
      sha: commit.sha,
      created: wireTime(commit.committer.date),
    },
    ...archiveUrls(ctx, found, name),
  }
}

const pageOf = ({ config }: ViewCtx, { owner, repository }: RepositoryWithAccess): string =>
  `${config.baseUrl}/${owner.name}/${repository.name}`

// An address in a commit proves nothing, so that no account is named by it.
const viewPerson = ({ name, email }: Person): Branch['commit']['author'] => ({ name, email, username: '' })

// There are no keys to check a signature with.
const viewVerification = (signed: RefInfo['commit']['signed']): Verification => ({
  verified: false,
  reason: signed ? 'gpg.error.no_gpg_keys_found' : 'gpg.error.not_signed_commit',
  signature: signed?.signature ?? '',
  signer: null,
  payload: signed?.payload ?? '',
})

/** Shows the tip of a branch. */
export function viewTip({ date, ...tip }: BranchTip): WireTip {
  return { ...tip, time: wireTime(date) }
}

/** Shows a tag on one line. */
export function viewTagTip({ name, commit, tag }: RefInfo, isReleased: boolean): TagTip {
  const id = tag?.sha ?? commit.sha
  const summary = firstLine((tag?.message ?? commit.message).trimStart())
  return {
    name,
    id,
    sha: commit.sha,
    summary,
    time: wireTime(commit.committer.date),
    is_released: isReleased,
  }
}
