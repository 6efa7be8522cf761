import { placeOfSite } from '@/app/_features/places/read-place'
import { newPage } from '@/app/_features/runners/pages/new-page'

export const metadata = { title: 'New runner' }

export default newPage(placeOfSite)
