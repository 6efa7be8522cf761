import type { ServiceCtx } from '@/server/kernel/ctx'
import { deleted } from '@/server/kernel/errors'
import { defaultPageSize, type Page } from '@/server/kernel/pagination'
import { type HolderPath, type LabelHolder, loadHolder } from './load'
import type { Label, LabelListing, LabelOverview } from './schema'
import { findLabel, selectLabels } from './store'
import { viewLabel } from './view'

/**
 * Lists a page of the labels of a repository or an organization, ordered by name.
 * @throws {DomainError} notFound; moved after a rename.
 */
export async function listLabels(
  ctx: ServiceCtx,
  path: HolderPath,
  listing: LabelListing,
): Promise<Page<Label>> {
  return await pageOf(ctx, await loadHolder(ctx, path), listing)
}

/**
 * Returns a label by its ID or its name.
 * @throws {DomainError} notFound; moved after a rename.
 */
export async function getLabel(ctx: ServiceCtx, path: HolderPath, idOrName: string): Promise<Label> {
  const holder = await loadHolder(ctx, path)
  const by = /^\d{1,15}$/.test(idOrName) ? { id: Number(idOrName) } : { name: idOrName }
  const label = await findLabel(ctx.db, holder.ref, by)
  if (!label) throw deleted('label')
  return viewLabel(ctx, holder, label)
}

/**
 * Returns a page of the labels of a repository or an organization, and whether the caller can change them.
 * @throws {DomainError} notFound; moved after a rename.
 */
export async function showLabels(ctx: ServiceCtx, path: HolderPath, page: number): Promise<LabelOverview> {
  const holder = await loadHolder(ctx, path)
  return { ...(await pageOf(ctx, holder, { page, limit: defaultPageSize })), may_edit: holder.mayEdit }
}

async function pageOf(
  ctx: ServiceCtx,
  holder: LabelHolder,
  { page, limit, sort }: LabelListing,
): Promise<Page<Label>> {
  const order = sort === 'reversealphabetically' ? 'desc' : 'asc'
  const { items, total } = await selectLabels(ctx.db, holder.ref, { page, limit, order })
  return { page, limit, total, items: items.map(label => viewLabel(ctx, holder, label)) }
}
