import { z } from 'zod'
import { scopeKit } from '@/server/scopes/router'
import type { ScopeName } from '@/server/scopes/schema'
import { router } from '@/server/trpc/init'
import { rest } from '@/server/trpc/rest'
import { addHook } from './add'
import { changeHook } from './edit'
import { explainHookEvent } from './explanations/explain'
import { listHookEvents } from './explanations/list'
import { explanationProcedures } from './explanations/router'
import { ExplainedHookEvent, HookEventPage, HookEventPath, HookEventsInput } from './explanations/schema'
import { listHooks } from './list'
import { loadHook, loadHookScope } from './load'
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

/** Returns the REST endpoints for webhooks, for one kind of scope. */
function endpointsOf(kind: ScopeName['kind']) {
  const { prefix, whose, refused, shared, beyondPublic: about, procedure, ...kit } = scopeKit(kind)
  const at = `${prefix}/hooks` as const
  const scope = procedure(z.object({}), loadHookScope)
  const event = procedure(HookEventPath, loadHookScope)
  const hook = procedure(HookPath, (ctx, name, { id }) => loadHook(ctx, name, id))
  const sharedWithPayload = { ...about, scopes: [...new Set([...about.scopes, 'repository'] as const)] }
  const off = { 403: `${refused}, or webhooks are disabled on this site.` }
  const aboutScope = { ...kit.errors, ...off }
  const aboutHook = { ...kit.errorsOfOne('webhook'), ...off }
  const aboutBody = {
    400: 'The Slack channel name is invalid.',
    422: 'A field is missing or invalid.',
  }

  return router({
    // Must precede `get`, whose `{id}` matches the same path segment.
    listEvents: scope
      .meta(
        rest('GET', `${at}/events`, {
          ...sharedWithPayload,
          page: 'cursor',
          summary: `List events that webhooks for ${whose} could receive`,
          errors: { ...aboutScope, 422: 'The cursor is not a valid ID.' },
        }),
      )
      .input(HookEventsInput)
      .output(HookEventPage)
      .query(({ ctx, input }) => listHookEvents(ctx, ctx.found, input)),

    explainEvent: event
      .meta(
        rest('GET', `${at}/events/{event_id}`, {
          ...sharedWithPayload,
          summary: `Explain which webhooks for ${whose} received an event and why`,
          errors: { ...kit.errorsOfOne('event'), ...off },
        }),
      )
      .output(ExplainedHookEvent)
      .query(({ ctx, input }) => explainHookEvent(ctx, ctx.found, input.event_id)),

    list: scope
      .meta(
        rest('GET', at, {
          ...shared,
          page: 'links',
          summary: `List webhooks for ${whose}`,
          errors: aboutScope,
        }),
      )
      .input(kind === 'site' ? ListSiteHooksInput : ListHooksInput)
      .output(HookPage)
      .query(async ({ ctx, input }) => {
        const page = await listHooks(ctx, ctx.found, input)
        return { ...page, items: page.items.map(row => viewHook(ctx, row)) }
      }),

    get: hook
      .meta(
        rest('GET', `${at}/{id}`, { ...shared, summary: `Get a webhook for ${whose}`, errors: aboutHook }),
      )
      .output(Hook)
      .query(({ ctx }) => viewHook(ctx, ctx.found.hook)),

    add: scope
      .meta(
        rest('POST', at, {
          ...about,
          status: 201,
          summary: `Create a webhook for ${whose}`,
          errors: { ...aboutScope, ...aboutBody },
        }),
      )
      .input(CreateHookOption)
      .output(Hook)
      .mutation(async ({ ctx, input }) => viewHook(ctx, await addHook(ctx, ctx.found, input))),

    edit: hook
      .meta(
        rest('PATCH', `${at}/{id}`, {
          ...about,
          summary: `Edit a webhook for ${whose}`,
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
          summary: `Delete a webhook for ${whose}, along with its deliveries`,
          errors: aboutHook,
        }),
      )
      .output(z.void())
      .mutation(({ ctx }) => removeHook(ctx, ctx.found)),

    ...deliveryEndpoints(hook, { at: `${at}/{id}`, whose, about, sharedWithPayload, errors: aboutHook }),
  })
}

export const hooksRouter = router({
  ...managingProcedures,
  ...explanationProcedures,
  ...deliveryProcedures,
  ofOrganization: endpointsOf('organization'),
  ofRepository: endpointsOf('repository'),
  own: endpointsOf('own'),
  ofSite: endpointsOf('site'),
})
