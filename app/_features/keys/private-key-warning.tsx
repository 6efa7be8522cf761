'use client'
import { type ReactNode, useEffect, useRef } from 'react'
import { Banner } from '@/app/_components/primer'

/** Loud, and focused: the person must notice before pasting it anywhere else. */
export function PrivateKeyWarning(): ReactNode {
  const ref = useRef<HTMLElement>(null)
  useEffect(() => ref.current?.focus(), [])
  return (
    <div role="alert">
      <Banner
        ref={ref}
        tabIndex={-1}
        variant="critical"
        title="This is a private key"
        description={
          <>
            It was not sent anywhere and has been cleared from the form. A private key must never leave your
            machine. Paste the contents of the file that ends in <code>.pub</code> instead. If you have pasted
            the private key anywhere else, make a new pair and delete the old one.
          </>
        }
      />
    </div>
  )
}
