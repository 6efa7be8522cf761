import 'server-only'
import { TextLink } from '@/app/_components/links'
import { PageHeading, Trail } from '@/app/_components/page-heading'
import { hooksDocsPath, hooksPath } from '@/app/_features/hooks/hook-place'
import { NewHookForm } from '@/app/_features/hooks/new-hook-form'
import { typeFromAddress } from '@/app/_features/hooks/type-labels'
import { headingLevel } from '@/app/_features/places/place-paths'
import type { PlaceOf } from '@/app/_features/places/read-place'
import { caller, textParam } from '@/app/_lib/server'
import { type HooksPage, unlessOff } from './hooks-page'

/** The page with the form for a new hook; the address may name the type. */
export function newPage<Params>(placeOf: PlaceOf<Params>): HooksPage<Params> {
  return async ({ params, searchParams }) => {
    const { place } = await placeOf(await params)
    const [type, reach] = await Promise.all([textParam(searchParams, 'type'), textParam(searchParams, 'for')])
    return await unlessOff(place, async () => {
      // Asks whether there is anything to add to.
      await (await caller()).hooks.browse({ place, limit: 1 })
      return (
        <>
          <Trail
            steps={[
              { href: hooksPath(place), label: 'Webhooks' },
              { href: hooksPath(place, 'new'), label: 'New webhook' },
            ]}
          />
          <PageHeading title="New webhook" level={headingLevel(place)}>
            Events are sent to your URL as they happen. You can also manage webhooks through the{' '}
            <TextLink href={hooksDocsPath(place)} inline>
              API
            </TextLink>
            .
          </PageHeading>
          <NewHookForm
            place={place}
            type={typeFromAddress(type)}
            isSystem={place.scope === 'site' && reach !== 'new'}
          />
        </>
      )
    })
  }
}
