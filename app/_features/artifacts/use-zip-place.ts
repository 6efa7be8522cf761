'use client'
import { usePathname } from 'next/navigation'
import { useAddress } from '@/app/_lib/navigation-queue'

/** What of a zip is open: a file, or else a folder, which is empty for the root. */
export interface ZipPlace {
  folder: string
  file: string | undefined
}

interface ZipPlaces extends ZipPlace {
  hrefOf: (place: Partial<ZipPlace>) => string
  /** Opens it without asking the server for the page again; the browser's way back leads back. */
  open: (place: Partial<ZipPlace>) => void
}

/** The place in a zip that stands in the address. */
export function useZipPlace(): ZipPlaces {
  const pathname = usePathname()
  const [search, change] = useAddress()
  const hrefOf = ({ folder = '', file }: Partial<ZipPlace>): string => {
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
