'use client'
import { usePathname } from 'next/navigation'
import { useAddress } from '@/app/_lib/workarounds/navigation-queue'

/** The open location in a zip: a file, or otherwise a folder. The root folder is an empty string. */
export interface ZipLocation {
  folder: string
  file: string | undefined
}

interface ZipLocations extends ZipLocation {
  hrefOf: (location: Partial<ZipLocation>) => string
  /** Opens a location without requesting the page again. The browser's Back button returns from it. */
  open: (location: Partial<ZipLocation>) => void
}

/** Reads the open location in a zip from the page's URL. */
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
