import { createTRPCClient, httpLink, type TRPCLink } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import type { AppRouter } from '@/server/api/root'
import { viewerHeader, viewerName } from '@/server/kernel/auth/page-viewer'
import { noteViewerChange, renderedFor } from './viewer'

export type { AppRouter }

/** Makes a refusal known to the whole page, whichever part of it has called. */
const watchViewer: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) =>
    observable(observer =>
      next(op).subscribe({
        ...observer,
        error(error) {
          if (error.data?.kind === 'viewerChanged') noteViewerChange(error.data.viewer ?? null, op.type)
          observer.error(error)
        },
      }),
    )

/**
 * Every call a browser makes; the session cookie goes along by itself, and for whom the page was rendered, so that the
 * server can refuse what another person's session would carry out. Always POST, so that no input is in an address.
 */
export const trpc = createTRPCClient<AppRouter>({
  links: [
    watchViewer,
    httpLink({
      url: '/api/trpc',
      methodOverride: 'POST',
      headers: ({ op }) => ({ [viewerHeader]: op.context.byNobody ? viewerName(undefined) : renderedFor() }),
    }),
  ],
})

/** For a call that signs somebody in on a page whose session has ended. */
export const byNobody = { context: { byNobody: true } }
