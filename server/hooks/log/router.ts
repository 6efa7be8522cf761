import { z } from 'zod'
import { signedInWith } from '@/server/trpc/procedures'
import { type RestOptions, rest } from '@/server/trpc/rest'
import { type HookFor, loadHook } from '../load'
import { type HookPath, ScopedHookPath } from '../schema'
import { dryRun } from './dry-run'
import { getDelivery, listDeliveries } from './get'
import { countReplay, redeliver, replayDeliveries } from './redeliver'
import {
  DeliveryCounts,
  DeliveryPath,
  DryRun,
  DryRunInput,
  HookDelivery,
  HookDeliveryDetails,
  HookDeliveryPage,
  ListDeliveriesInput,
  Replayed,
  ReplayInput,
  TestHookInput,
} from './schema'
import { pingHook, testHook } from './send-now'
import { countDeliveries } from './store'

type Shared = Omit<RestOptions, 'summary' | 'errors'>

interface Described {
  /** Path of the webhook in the REST API. */
  at: `/${string}`
  whose: string
  about: Shared
  /** REST options of endpoints that show payloads, which can contain data of private repositories. */
  sharedWithPayload: Shared
  errors: { 403: string; 404: string }
}

const tooOften = { 429: 'It was pinged and tested ten times in the last minute.' }
const tooMany = { 429: 'More than 2,000 of its deliveries were asked for again in the last minute.' }

/** Returns the REST endpoints for the deliveries of webhooks, for one kind of scope. */
export function deliveryEndpoints(
  hook: ReturnType<typeof signedInWith<typeof HookPath, HookFor>>,
  { at, whose, about, sharedWithPayload, errors }: Described,
) {
  const call =
    (shared: Shared) => (method: 'GET' | 'POST', path: string, options: Omit<RestOptions, 'tag'>) =>
      rest(method, `${at}${path}`, { ...shared, ...options, errors: { ...errors, ...options.errors } })
  const [plain, withPayload] = [call(about), call(sharedWithPayload)]
  const orNo = (what: string) => ({ 404: `${errors[404].replace(/\.$/, '')}, or ${what}.` })

  return {
    listDeliveries: hook
      .meta(
        withPayload('GET', '/deliveries', {
          page: 'cursor',
          summary: `List the deliveries of a webhook of ${whose}`,
          errors: { 422: 'A filter is not acceptable, or the cursor is no id.' },
        }),
      )
      .input(ListDeliveriesInput)
      .output(HookDeliveryPage)
      .query(({ ctx, input }) => listDeliveries(ctx, ctx.found, input)),

    getDelivery: hook
      .meta(
        withPayload('GET', '/deliveries/{delivery_id}', {
          summary: `Get what a webhook of ${whose} sent, and what it was answered`,
          errors: orNo('no such delivery'),
        }),
      )
      .input(DeliveryPath)
      .output(HookDeliveryDetails)
      .query(({ ctx, input }) => getDelivery(ctx, ctx.found, input.delivery_id)),

    redeliver: hook
      .meta(
        plain('POST', '/deliveries/{delivery_id}/attempts', {
          status: 202,
          summary: `Send a delivery of a webhook of ${whose} again, or retry a pending one now, under the same id`,
          errors: { ...orNo('no such delivery'), ...tooMany },
        }),
      )
      .input(DeliveryPath)
      .output(HookDelivery)
      .mutation(({ ctx, input }) => redeliver(ctx, ctx.found, input.delivery_id)),

    replay: hook
      .meta(
        plain('POST', '/replay', {
          status: 202,
          summary: `Send the deliveries of a webhook of ${whose} from some time again, or retry pending ones now`,
          errors: { 422: 'A filter is not acceptable, or the webhook is not active.', ...tooMany },
        }),
      )
      .input(ReplayInput)
      .output(Replayed)
      .mutation(({ ctx, input }) => replayDeliveries(ctx, ctx.found, input)),

    ping: hook
      .meta(
        plain('POST', '/pings', {
          status: 204,
          summary: `Send a ping to a webhook of ${whose}, once`,
          errors: tooOften,
        }),
      )
      .output(z.void())
      .mutation(({ ctx }) => pingHook(ctx, ctx.found)),

    test: hook
      .meta(
        plain('POST', '/tests', {
          status: 204,
          query: ['ref'],
          summary: `Send the newest commit to a webhook of ${whose}, as a push and once`,
          errors: {
            ...orNo('the repository is empty or has no such ref'),
            422: 'What was given is no ref, or webhooks of this type are sent nothing for it.',
            ...tooOften,
          },
        }),
      )
      .input(TestHookInput)
      .output(z.void())
      .mutation(({ ctx, input }) => testHook(ctx, ctx.found, input.ref)),

    dryRun: hook
      .meta(
        withPayload('POST', '/dry-run', {
          summary: `Show what a webhook of ${whose} would send, without sending it`,
          errors: orNo('no such event'),
        }),
      )
      .input(DryRunInput)
      .output(DryRun)
      .mutation(({ ctx, input }) => dryRun(ctx, ctx.found, input.event_id)),
  }
}

const ofHook = signedInWith(ScopedHookPath, (ctx, { scope, id }) => loadHook(ctx, scope, id))

/** Procedures for the pages about deliveries, shared by all scopes. */
export const deliveryProcedures = {
  browseDeliveries: ofHook
    .input(ListDeliveriesInput)
    .output(HookDeliveryPage)
    .query(({ ctx, input }) => listDeliveries(ctx, ctx.found, input)),

  countDeliveries: ofHook
    .output(DeliveryCounts)
    .query(({ ctx }) => countDeliveries(ctx.db, ctx.found.hook.id)),

  getDelivery: ofHook
    .input(DeliveryPath)
    .output(HookDeliveryDetails)
    .query(({ ctx, input }) => getDelivery(ctx, ctx.found, input.delivery_id)),

  redeliver: ofHook
    .input(DeliveryPath)
    .output(HookDelivery)
    .mutation(({ ctx, input }) => redeliver(ctx, ctx.found, input.delivery_id)),

  replay: ofHook
    .input(ReplayInput)
    .output(Replayed)
    .mutation(({ ctx, input }) => replayDeliveries(ctx, ctx.found, input)),

  countReplay: ofHook
    .input(ReplayInput)
    .output(Replayed)
    .query(({ ctx, input }) => countReplay(ctx, ctx.found, input)),

  ping: ofHook.output(z.void()).mutation(({ ctx }) => pingHook(ctx, ctx.found)),

  test: ofHook
    .input(TestHookInput)
    .output(z.void())
    .mutation(({ ctx, input }) => testHook(ctx, ctx.found, input.ref)),

  dryRun: ofHook
    .input(DryRunInput)
    .output(DryRun)
    .mutation(({ ctx, input }) => dryRun(ctx, ctx.found, input.event_id)),
}
