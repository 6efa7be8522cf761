import { z } from 'zod'
import { type PlaceName, placePaths } from '@/server/places/schema'
import { router } from '@/server/trpc/init'
import { signedInWith } from '@/server/trpc/procedures'
import { type RestOptions, rest } from '@/server/trpc/rest'
import { addHook } from './add'
import { changeHook } from './edit'
import { listHooks } from './list'
import { loadHook, loadHookPlace } from './load'
import { deliveryEndpoints, deliveryProcedures } from './log/router'
import { managingProcedures } from './manage/router'
import { removeHook } from './remove'
import {
  CreateHookOption,
  EditHookOption,
  Hook,
  HookPage,
  HookPath,
  ListHooksInput,
  ListSiteHooksInput,
} from './schema'
import { viewHook } from './view'
import { explainHookEvent } from './why/explain'
import { listHookEvents } from './why/list'
import { whyProcedures } from './why/router'
import { ExplainedHookEvent, HookEventPage, HookEventPath, HookEventsInput } from './why/schema'

interface Place extends Pick<RestOptions, 'private'> {
  tag: 'organization' | 'repository' | 'user' | 'admin'
  /** The path prefix of the endpoints, which names the place. */
  at: `/${string}`
  scope: PlaceName['scope']
  /** For the API document. */
  whose: string
  refused: string
  notThere?: string
}

/** The hook endpoints of every kind of place. */
function endpointsOf({ at, scope, whose, refused, notThere, tag, ...options }: Place) {
  const path: z.ZodObject = z.object(placePaths[scope])
  const pathOfOne: typeof HookPath = HookPath.extend(placePaths[scope])
  const nameIn = (named: Record<string, unknown>) => ({ ...named, scope }) as PlaceName
  const place = signedInWith(path, (ctx, named) => loadHookPlace(ctx, nameIn(named)))
  const eventPath: typeof HookEventPath = HookEventPath.extend(placePaths[scope])
  const event = signedInWith(eventPath, (ctx, named) => loadHookPlace(ctx, nameIn(named)))
  const hook = signedInWith(pathOfOne, (ctx, named) => loadHook(ctx, nameIn(named), named.id))
  const shared = { ...options, tag, scopes: [tag] }
  // Hooks also receive events of private repositories, except a public repository's own hooks.
  const about = { ...shared, private: scope !== 'repository' }
  const told = { ...about, scopes: [...new Set([tag, 'repository'] as const)] }
  const off = { 403: `${refused}, or webhooks are turned off.` }
  const aboutPlace = notThere ? { ...off, 404: `${notThere}.` } : off
  const aboutHook = { ...off, 404: `${notThere ? `${notThere}, or no` : 'No'} such webhook.` }
  const aboutBody = {
    400: 'No channel of slack has such a name.',
    422: 'Something is missing, unknown or not acceptable.',
  }

  return router({
    // Must precede the hooks, whose ids match the same path segment.
    listEvents: place
      .meta(
        rest('GET', `${at}/events`, {
          ...told,
          page: 'cursor',
          summary: `List what happened that webhooks of ${whose} could be told of`,
          errors: { ...aboutPlace, 422: 'The cursor is no id.' },
        }),
      )
      .input(HookEventsInput)
      .output(HookEventPage)
      .query(({ ctx, input }) => listHookEvents(ctx, ctx.found, input)),

    explainEvent: event
      .meta(
        rest('GET', `${at}/events/{event_id}`, {
          ...told,
          summary: `Explain which webhooks of ${whose} were told of something, and why`,
          errors: { ...off, 404: `${notThere ? `${notThere}, or no` : 'No'} such event.` },
        }),
      )
      .output(ExplainedHookEvent)
      .query(({ ctx, input }) => explainHookEvent(ctx, ctx.found, input.event_id)),

    list: place
      .meta(
        rest('GET', at, {
          ...shared,
          page: 'links',
          summary: `List the webhooks of ${whose}`,
          errors: aboutPlace,
        }),
      )
      .input(scope === 'site' ? ListSiteHooksInput : ListHooksInput)
      .output(HookPage)
      .query(async ({ ctx, input }) => {
        const page = await listHooks(ctx, ctx.found, input)
        return { ...page, items: page.items.map(row => viewHook(ctx, row)) }
      }),

    get: hook
      .meta(rest('GET', `${at}/{id}`, { ...shared, summary: `Get a webhook of ${whose}`, errors: aboutHook }))
      .output(Hook)
      .query(({ ctx }) => viewHook(ctx, ctx.found.hook)),

    add: place
      .meta(
        rest('POST', at, {
          ...about,
          status: 201,
          summary: `Create a webhook of ${whose}`,
          errors: { ...aboutPlace, ...aboutBody },
        }),
      )
      .input(CreateHookOption)
      .output(Hook)
      .mutation(async ({ ctx, input }) => viewHook(ctx, await addHook(ctx, ctx.found, input))),

    edit: hook
      .meta(
        rest('PATCH', `${at}/{id}`, {
          ...about,
          summary: `Change a webhook of ${whose}`,
          errors: { ...aboutHook, ...aboutBody },
        }),
      )
      .input(EditHookOption)
      .output(Hook)
      .mutation(async ({ ctx, input }) => viewHook(ctx, await changeHook(ctx, ctx.found, () => input))),

    remove: hook
      .meta(
        rest('DELETE', `${at}/{id}`, {
          ...shared,
          status: 204,
          summary: `Delete a webhook of ${whose}, with its deliveries`,
          errors: aboutHook,
        }),
      )
      .output(z.void())
      .mutation(({ ctx }) => removeHook(ctx, ctx.found)),

    ...deliveryEndpoints(hook, { at: `${at}/{id}`, whose, about, told, errors: aboutHook }),
  })
}

export const hooksRouter = router({
  ...managingProcedures,
  ...whyProcedures,
  ...deliveryProcedures,
  ofOrganization: endpointsOf({
    tag: 'organization',
    at: '/orgs/{org}/hooks',
    scope: 'organization',
    whose: 'an organization',
    refused: 'You do not own the organization',
    notThere: 'No such organization, or not visible to you',
  }),
  ofRepository: endpointsOf({
    tag: 'repository',
    at: '/repos/{owner}/{repo}/hooks',
    scope: 'repository',
    whose: 'a repository',
    refused: 'You do not administer the repository',
    notThere: 'No such repository, or not visible to you',
  }),
  own: endpointsOf({
    tag: 'user',
    private: true,
    at: '/user/hooks',
    scope: 'own',
    whose: 'your own',
    refused: 'The token is limited to public data',
  }),
  ofSite: endpointsOf({
    tag: 'admin',
    at: '/admin/hooks',
    scope: 'site',
    whose: 'the site',
    refused: 'You do not administer the site',
  }),
})
