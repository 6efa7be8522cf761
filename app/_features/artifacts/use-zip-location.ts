'use client'
import { usePathname } from 'next/navigation'
import { useAddress } from '@/app/_lib/workarounds/navigation-queue'

/** What of a zip is open: a file, or else a folder, which is empty for the root. */
export interface ZipLocation {
  folder: string
  file: string | undefined
}

interface ZipLocations extends ZipLocation {
  hrefOf: (location: Partial<ZipLocation>) => string
  /** Opens it without asking the server for the page again; the browser's way back leads back. */
  open: (location: Partial<ZipLocation>) => void
}

/** The place in a zip that stands in the address. */
export function useZipLocation(): ZipLocations {
  const pathname = usePathname()
  const [search, change] = useAddress()
  const hrefOf = ({ folder = '', file }: Partial<ZipLocation>): string => {
    const params = new URLSearchParams(file === undefined ? { folder } : { file })
    return folder === '' && file === undefined ? pathname : `${pathname}?${params}`
  }
  return {
    folder: search.get('folder') ?? '',
    file: search.get('file') ?? undefined,
    hrefOf,
    open: ({ folder = '', file }) =>
      change('pushState', params => {
        params.delete('folder')
        params.delete('file')
        if (file !== undefined) params.set('file', file)
        else if (folder !== '') params.set('folder', folder)
      }),
  }
}
