import { newPage } from '@/app/_features/hooks/pages/new-page'
import { placeOfSite } from '@/app/_features/places/read-place'

export const metadata = { title: 'New webhook' }

export default newPage(placeOfSite)
