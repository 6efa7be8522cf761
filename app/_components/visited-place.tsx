'use client'
import { useEffect } from 'react'
import { type Place, rememberPlace } from '@/app/_lib/recent-places'

/** Notes that the viewer is at this place, to which they may want to come back. */
export function VisitedPlace({ kind, text, href }: Place): null {
  useEffect(() => rememberPlace({ kind, text, href }), [kind, text, href])
  return null
}
