import { identicon } from '@/app/_lib/identicon'

/** A picture made of the id alone: the same for ever, and nothing is read for it. */
export async function GET(
  _request: Request,
  { params }: { params: Promise<{ id: string }> },
): Promise<Response> {
  const { id } = await params
  if (!/^\d{1,15}$/.test(id)) return new Response('no such picture\n', { status: 404 })
  return new Response(identicon(id), {
    headers: {
      'Content-Type': 'image/svg+xml',
      'Cache-Control': 'public, max-age=604800',
      'Content-Security-Policy': "default-src 'none'",
      'X-Content-Type-Options': 'nosniff',
    },
  })
}
