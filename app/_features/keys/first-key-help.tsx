'use client'
import type { ReactNode } from 'react'
import { CommandLine } from '@/app/_components/command-line'

/** How to get a key, for somebody who never made one. */
export function FirstKeyHelp(): ReactNode {
  return (
    <>
      <p>An SSH key proves who you are without a password. Make one in a terminal:</p>
      <CommandLine command={'ssh-keygen -t ed25519 -C "you@example.com"'} />
      <p>Then print its public half and copy the line:</p>
      <CommandLine command="cat ~/.ssh/id_ed25519.pub" />
    </>
  )
}
