import 'server-only'
import { notFound, redirect } from 'next/navigation'
import { cache } from 'react'
import { caller, currentPath, orMoved, requireSession } from '@/app/_lib/server'
import { isDomainError } from '@/server/kernel/errors'
import type { OrganizationOverview } from '@/server/orgs/schema'

/** Cached for each request, because both the frame and the content of a page need the organization. */
const overviewOf = cache(async (org: string) => (await caller()).orgs.getOverview({ org }))

/**
 * Returns the organization of a page. Former names and other capitalization redirect to the same page under
 * the current name.
 */
export async function readOrg(org: string): Promise<OrganizationOverview> {
  const path = await currentPath()
  const addressAs = (name: string): string => path.replace(/^(\/-\/orgs)?\/[^/?]+/, `$1/${name}`)
  const overview = await orMoved(overviewOf(org), addressAs)
  if (overview.organization.name !== org) redirect(addressAs(overview.organization.name))
  return overview
}

/**
 * Returns the organization of a page, like `readOrg`, or undefined if the viewer can see no organization with
 * this name.
 */
export async function readOrgIfAny(name: string): Promise<OrganizationOverview | undefined> {
  const isAbsent = await overviewOf(name).then(() => false, saysAbsent)
  return isAbsent ? undefined : await readOrg(name)
}

const saysAbsent = (error: unknown): boolean =>
  error instanceof Error && isDomainError(error.cause) && error.cause.kind === 'notFound'

/**
 * Returns the organization of a page for its members and for site administrators. Other signed-in people get
 * a "not found" page.
 */
export async function readOrgAsMember(org: string): Promise<OrganizationOverview> {
  await requireSession()
  const overview = await readOrg(org)
  if (!overview.access.is_member && !overview.access.may_manage) notFound()
  return overview
}

/**
 * Returns the organization of a page for its owners and for site administrators. Other signed-in people get a
 * "not found" page.
 */
export async function readOrgAsManager(org: string): Promise<OrganizationOverview> {
  await requireSession()
  const overview = await readOrg(org)
  if (!overview.access.may_manage) notFound()
  return overview
}
