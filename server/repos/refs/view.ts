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

/**
 * Converts a branch to its REST API form, including whether the caller can push to it. Branch protection is
 * not supported, so every branch is shown as unprotected.
 */
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

/** Converts a tag to its REST API form. */
export function viewTag(ctx: ViewCtx, found: RepositoryWithAccess, { name, commit, tag }: RefInfo): Tag {
  return {
    name,
    message: (tag?.message ?? commit.message).trim(),
    id: tag?.sha ?? commit.sha,
    commit: {
      url: `${ctx.config.baseUrl}/api/v1/repos/${found.owner.name}/${found.repository.name}/git/commits/${commit.sha}`,
      sha: commit.sha,
      created: wireTime(commit.committer.date),
    },
    ...archiveUrls(ctx, found, name),
  }
}

const pageOf = ({ config }: ViewCtx, { owner, repository }: RepositoryWithAccess): string =>
  `${config.baseUrl}/${owner.name}/${repository.name}`

// An email address in a commit proves nothing, so it is not mapped to an account.
const viewPerson = ({ name, email }: Person): Branch['commit']['author'] => ({ name, email, username: '' })

/**
 * Converts the signature of a commit or tag to its REST API form. The server has no keys with which to verify
 * it.
 */
export const viewVerification = (signed: RefInfo['commit']['signed']): Verification => ({
  verified: false,
  reason: signed ? 'gpg.error.no_gpg_keys_found' : 'gpg.error.not_signed_commit',
  signature: signed?.signature ?? '',
  signer: null,
  payload: signed?.payload ?? '',
})

/** Converts a branch and its newest commit to the API form used in lists, with the time as a string. */
export function viewTip({ date, ...tip }: BranchTip): WireTip {
  return { ...tip, time: wireTime(date) }
}

/** Converts a tag to one row of a list. */
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
