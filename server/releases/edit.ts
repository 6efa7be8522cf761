import { originOf, recordEvent } from '@/server/events'
import type { ActingCtx } from '@/server/kernel/ctx'
import { deleted } from '@/server/kernel/errors'
import { requireUnchanged } from '@/server/kernel/form-edit'
import { checkTagName, type EnsuredTag, inRefQueue } from '@/server/repos'
import type { ReleaseFor } from './load'
import { requireUnarchived, shortTitle, tagInUse } from './rules'
import type { EditReleaseOption, Release, SaveReleaseInput } from './schema'
import {
  findRelease,
  findReleaseByTag,
  lockRelease,
  type ReleaseChange,
  type ReleaseRow,
  updateRelease,
} from './store'
import { ensureSeenTag, isPushed, untilDone } from './tag'
import { viewRelease } from './view'
import { aboutRelease, announceRelease, changeReleases, publisherOf } from './write'

/**
 * Updates the fields of a release that are present and not empty. If a draft is published, or a published
 * release gets another tag, the tag is created first if it does not exist. The target of a published release
 * can change only together with its tag.
 * @throws {DomainError} forbidden if the repository is archived; unprocessable if the tag name is invalid;
 * alreadyExists if another release has the tag; notFound if the target does not exist or the release is
 * deleted concurrently; tooManyRequests if Git is overloaded.
 */
export async function editRelease(
  ctx: ActingCtx,
  found: ReleaseFor<'write'>,
  input: EditReleaseOption,
): Promise<Release> {
  const provided = Object.entries(input).filter(([, value]) => value !== '')
  return await edit(ctx, found, Object.fromEntries(provided))
}

/**
 * Updates the fields of a release that were changed in its edit form. Unlike with `editRelease`, new values
 * can be empty.
 * @throws {DomainError} as `editRelease`, and conflict if someone else changed one of these fields after the
 * form was loaded.
 */
export async function saveRelease(
  ctx: ActingCtx,
  found: ReleaseFor<'write'>,
  input: SaveReleaseInput,
): Promise<Release> {
  return await edit(ctx, found, input.changes, input)
}

async function edit(
  ctx: ActingCtx,
  found: ReleaseFor<'write'>,
  input: EditReleaseOption,
  form?: SaveReleaseInput,
): Promise<Release> {
  requireUnarchived(found)
  if (input.tag_name !== undefined) checkTagName(input.tag_name)
  const release = await inRefQueue(found.repository.id, () =>
    untilDone(() => attempt(ctx, found, input, form)),
  )
  return await viewRelease(ctx, found, release)
}

// Returns undefined and changes nothing if the tag or the release was changed concurrently.
async function attempt(
  ctx: ActingCtx,
  { repository, release: { id } }: ReleaseFor<'write'>,
  input: EditReleaseOption,
  form: SaveReleaseInput | undefined,
): Promise<ReleaseRow | undefined> {
  const before = await findRelease(ctx.db, repository.id, id)
  if (!before) throw deleted('release')
  if (form) requireUnchanged(fieldsOf(before), form)
  const wanted = wantedTag(before, input, repository.default_branch)
  if (wanted) {
    const holder = await findReleaseByTag(ctx.db, repository.id, wanted.name)
    if (holder && holder.id !== id) throw tagInUse(wanted.name)
  }
  const tag = wanted && (await ensureSeenTag(ctx, repository, wanted))
  return await changeReleases(ctx, repository, input.tag_name ?? before.tag_name, async (trx, present) => {
    if (tag && isPushed(tag, present)) return undefined
    const current = await lockRelease(trx, id)
    if (!current) throw deleted('release')
    if (current.is_draft !== before.is_draft || current.tag_name !== before.tag_name) return undefined
    if (form) requireUnchanged(fieldsOf(current), form)
    const change = changeOf(ctx, current, input, tag)
    const changed = Object.keys(change).filter(
      column => change[column as keyof ReleaseChange] !== current[column as keyof ReleaseRow],
    )
    if (changed.length === 0) return current
    const release = await updateRelease(trx, id, { ...change, updated_at: ctx.clock.now() })
    const { facts: about, ...owner } = aboutRelease(repository, release)
    const facts = { ...about, activities: activitiesOf(current, release) }
    if (release.is_draft) {
      announceRelease(trx, repository, { ...release, is_draft: current.is_draft })
      if (!current.is_draft)
        await recordEvent(trx, originOf(ctx), { kind: 'release.unpublished', ...owner, facts })
    } else {
      await recordEvent(
        trx,
        originOf(ctx),
        tag?.isNew
          ? { kind: 'release.published', ...owner, facts }
          : {
              kind: 'release.updated',
              ...owner,
              facts: { ...facts, publishes: current.is_draft, changed: changed.sort().join(' ') },
            },
      )
    }
    return release
  })
}

// As on GitHub, publishing a draft is no `prereleased`, and only becoming a release is more than an edit.
function activitiesOf(before: ReleaseRow, after: ReleaseRow): string {
  if (after.is_draft) return 'unpublished'
  if (before.is_draft) return after.is_prerelease ? 'published' : 'published released'
  return before.is_prerelease && !after.is_prerelease ? 'released edited' : 'edited'
}

const fieldsOf = (row: ReleaseRow) => ({
  tag_name: row.tag_name,
  target_commitish: row.target,
  name: row.title,
  body: row.body,
  draft: row.is_draft,
  prerelease: row.is_prerelease,
})

// A published release that keeps its tag name does not need a new tag, even if someone deleted the tag with
// Git.
function wantedTag(row: ReleaseRow, input: EditReleaseOption, defaultBranch: string) {
  const name = input.tag_name ?? row.tag_name
  if (input.draft ?? row.is_draft) return undefined
  if (!row.is_draft && name === row.tag_name) return undefined
  const target = input.target_commitish || row.target || defaultBranch
  return { name, target, message: row.tag_message }
}

function changeOf(
  ctx: ActingCtx,
  current: ReleaseRow,
  input: EditReleaseOption,
  tag: EnsuredTag | undefined,
): ReleaseChange {
  const isDraft = input.draft ?? current.is_draft
  const change: ReleaseChange = {
    title: input.name === undefined ? undefined : shortTitle(input.name),
    body: input.body,
    tag_name: input.tag_name,
    is_draft: isDraft,
    is_prerelease: input.prerelease,
    ...(tag || isDraft ? { target: input.target_commitish || undefined } : {}),
    ...(tag ? { sha: tag.commit, tag_message: '' } : {}),
    ...(isDraft ? { sha: '' } : {}),
    // Somebody decided that it is a draft, or for which tag.
    ...(input.draft !== undefined || input.tag_name !== undefined ? { lost_tag: false } : {}),
    ...(current.is_draft && !isDraft ? { created_at: ctx.clock.now(), ...publisherOf(ctx) } : {}),
  }
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
}
