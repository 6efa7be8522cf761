import 'server-only'
import { notFound, redirect } from 'next/navigation'
import { cache } from 'react'
import { caller, currentPath, orMoved, requireSession } from '@/app/_lib/server'
import { isDomainError } from '@/server/kernel/errors'
import type { OrganizationOverview } from '@/server/orgs/schema'

/** Read once for the frame of a page and its content. */
const overviewOf = cache(async (org: string) => (await caller()).orgs.getOverview({ org }))

/** The organization of a page; an old name and other capital letters lead to the same page under its name. */
export async function readOrg(org: string): Promise<OrganizationOverview> {
  const path = await currentPath()
  const addressAs = (name: string): string => path.replace(/^(\/-\/orgs)?\/[^/?]+/, `$1/${name}`)
  const overview = await orMoved(overviewOf(org), addressAs)
  if (overview.organization.name !== org) redirect(addressAs(overview.organization.name))
  return overview
}

/** The organization of a page, as `readOrg`; undefined where the name is a person's or nobody's. */
export async function readOrgIfAny(name: string): Promise<OrganizationOverview | undefined> {
  const isAbsent = await overviewOf(name).then(() => false, saysAbsent)
  return isAbsent ? undefined : await readOrg(name)
}

const saysAbsent = (error: unknown): boolean =>
  error instanceof Error && isDomainError(error.cause) && error.cause.kind === 'notFound'

/** The organization of a page for members only; others are shown that there is no such page. */
export async function readOrgAsMember(org: string): Promise<OrganizationOverview> {
  await requireSession()
  const overview = await readOrg(org)
  if (!overview.access.is_member && !overview.access.may_manage) notFound()
  return overview
}

/** The organization of a page for its owners and site administrators only; others see that there is no such page. */
export async function readOrgAsManager(org: string): Promise<OrganizationOverview> {
  await requireSession()
  const overview = await readOrg(org)
  if (!overview.access.may_manage) notFound()
  return overview
}
