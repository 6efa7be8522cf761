'use client'
import type { ReactNode } from 'react'
import { Banner } from './primer'

/** What went wrong with a whole form, or nothing. */
export function FormBanner({ title, message }: { title: string; message: string | undefined }): ReactNode {
  if (!message) return null
  return (
    <div role="alert">
      <Banner variant="critical" title={title} description={message} />
    </div>
  )
}
