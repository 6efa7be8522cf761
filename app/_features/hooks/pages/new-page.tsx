import 'server-only'
import { TextLink } from '@/app/_components/links'
import { PageHeading, Trail } from '@/app/_components/page-heading'
import { hooksDocsPath, hooksPath } from '@/app/_features/hooks/hook-paths'
import { NewHookForm } from '@/app/_features/hooks/new-hook-form'
import { typeFromAddress } from '@/app/_features/hooks/type-labels'
import type { ScopeOf } from '@/app/_features/scopes/read-scope'
import { headingLevel } from '@/app/_features/scopes/scope-paths'
import { caller, textParam } from '@/app/_lib/server'
import { type HooksPage, unlessOff } from './hooks-page'

/** Creates the page with the form for a new hook. The query can preset the type. */
export function newPage<Params>(scopeOf: ScopeOf<Params>): HooksPage<Params> {
  return async ({ params, searchParams }) => {
    const { scope } = await scopeOf(await params)
    const [type, reach] = await Promise.all([textParam(searchParams, 'type'), textParam(searchParams, 'for')])
    return await unlessOff(scope, async () => {
      // Throws if the scope does not exist or webhooks are turned off.
      await (await caller()).hooks.browse({ scope, limit: 1 })
      return (
        <>
          <Trail
            steps={[
              { href: hooksPath(scope), label: 'Webhooks' },
              { href: hooksPath(scope, 'new'), label: 'New webhook' },
            ]}
          />
          <PageHeading title="New webhook" level={headingLevel(scope)}>
            Events are sent to your URL as they happen. You can also manage webhooks through the{' '}
            <TextLink href={hooksDocsPath(scope)} inline>
              API
            </TextLink>
            .
          </PageHeading>
          <NewHookForm
            scope={scope}
            type={typeFromAddress(type)}
            isSystem={scope.kind === 'site' && reach !== 'new'}
          />
        </>
      )
    })
  }
}
