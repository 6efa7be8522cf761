import 'server-only'
import type { ReactNode } from 'react'
import { EmptyState } from '@/app/_components/empty-state'
import { WebhookIcon } from '@/app/_components/icons'
import { PageHeading } from '@/app/_components/page-heading'
import { headingLevel } from '@/app/_features/scopes/scope-paths'
import type { SearchParams } from '@/app/_lib/server'
import { isDomainError } from '@/server/kernel/errors'
import type { ScopeName } from '@/server/scopes/schema'

/** A page of a scope's hooks, which the route's parameters identify. */
export type HooksPage<Params> = (props: {
  params: Promise<Params>
  searchParams: SearchParams
}) => Promise<ReactNode>

/**
 * Returns the page, or a notice that webhooks are turned off on this site, which at this point is the only
 * reason for a forbidden error.
 */
export async function unlessOff(scope: ScopeName, page: () => Promise<ReactNode>): Promise<ReactNode> {
  try {
    return await page()
  } catch (error) {
    if (!(error instanceof Error && isDomainError(error.cause) && error.cause.kind === 'forbidden'))
      throw error
    return (
      <>
        <PageHeading title="Webhooks" level={headingLevel(scope)} />
        <EmptyState icon={WebhookIcon} title="Webhooks are turned off on this site">
          <p>A site administrator can turn them on. Existing webhooks are kept, but no events are sent.</p>
        </EmptyState>
      </>
    )
  }
}
