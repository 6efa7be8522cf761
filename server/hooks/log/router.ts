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

const tooOften = { 429: 'The webhook was pinged or tested ten times in the last minute.' }
const tooMany = { 429: 'More than 2,000 redeliveries of the webhook were requested in the last minute.' }

/**
 * Returns the REST endpoints for the deliveries of the webhooks of accounts, organizations, repositories, or
 * the site, under the path `at`.
 */
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
          summary: `List deliveries for a webhook of ${whose}`,
          errors: { 422: 'A filter is invalid, or the cursor is not a valid ID.' },
        }),
      )
      .input(ListDeliveriesInput)
      .output(HookDeliveryPage)
      .query(({ ctx, input }) => listDeliveries(ctx, ctx.found, input)),

    getDelivery: hook
      .meta(
        withPayload('GET', '/deliveries/{delivery_id}', {
          summary: `Get a delivery for a webhook of ${whose}, including its request and responses`,
          errors: orNo('the webhook has no such delivery'),
        }),
      )
      .input(DeliveryPath)
      .output(HookDeliveryDetails)
      .query(({ ctx, input }) => getDelivery(ctx, ctx.found, input.delivery_id)),

    redeliver: hook
      .meta(
        plain('POST', '/deliveries/{delivery_id}/attempts', {
          status: 202,
          summary: `Redeliver a delivery for a webhook of ${whose} with the same ID, or retry a pending delivery immediately`,
          errors: { ...orNo('the webhook has no such delivery'), ...tooMany },
        }),
      )
      .input(DeliveryPath)
      .output(HookDelivery)
      .mutation(({ ctx, input }) => redeliver(ctx, ctx.found, input.delivery_id)),

    replay: hook
      .meta(
        plain('POST', '/replay', {
          status: 202,
          summary: `Redeliver deliveries in a time window for a webhook of ${whose}, or retry pending deliveries immediately`,
          errors: { 422: 'A filter is invalid, or the webhook is not active.', ...tooMany },
        }),
      )
      .input(ReplayInput)
      .output(Replayed)
      .mutation(({ ctx, input }) => replayDeliveries(ctx, ctx.found, input)),

    ping: hook
      .meta(
        plain('POST', '/pings', {
          status: 204,
          summary: `Send a single ping to a webhook of ${whose}`,
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
          summary: `Send a single test push with the newest commit to a webhook of ${whose}`,
          errors: {
            ...orNo('the repository is empty or has no such ref'),
            422: 'The ref is invalid, or webhooks of this type do not receive pushes to it.',
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
          summary: `Preview what a webhook of ${whose} would send, without sending it`,
          errors: orNo('there is no such event'),
        }),
      )
      .input(DryRunInput)
      .output(DryRun)
      .mutation(({ ctx, input }) => dryRun(ctx, ctx.found, input.event_id)),
  }
}

const ofHook = signedInWith(ScopedHookPath, (ctx, { scope, id }) => loadHook(ctx, scope, id))

/**
 * tRPC procedures for the pages about webhook deliveries. Used for the webhooks of accounts, organizations,
 * repositories, and the site.
 */
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
