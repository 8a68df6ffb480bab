"""Vietnamese, where spaces stand between syllables."""

from __future__ import annotations

from hermes_tui.sessions.titles.languages.language import Language

VIETNAMESE = Language(
    code="vi",
    letters="ăđơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ",
    greetings="""
        xin? chào|chao bạn|ban|em|anh|chị|mọi_người|cả_nhà|các_bạn|ad|hermes|trợ_lý|buổi_sáng|buổi_tối|buổi_chiều|bot|
            anh_chị|shop? nhé|nha|ạ|ơi?
        xin chào|chao
        chào buổi sáng|tối|chiều|trưa
        alo|hế_lô|hello|hi|hey|hê_lô bạn|em|anh|chị|ad|mọi_người|cả_nhà|shop?
        kính|thân gửi|chào|thưa anh|chị|anh/chị|anh_chị|quý_công_ty|bạn|mọi_người|quý_vị|quý_khách|ban|đội_ngũ? chị?
        bạn|em|anh|chị có? khỏe|khoẻ không
        dạo này thế_nào|sao
        hy|hi vọng bạn vẫn? khỏe|khoẻ|ổn
        rất vui được gặp bạn
    """,
    names="hermes bạn ơi ad bot em anh chị shop trợ_lý",
    polite="""
        làm ơn
        lam on
        vui lòng|long
        xin vui_lòng|hãy
        nếu có_thể|được|không_phiền|không_phiền_thì
    """,
    echo="""
        không|khong được|nhỉ|ạ|vậy|thế? không|ạ|vậy|hả|nhỉ?
        được|đc|dc không|ko|khong|chứ ạ|nhỉ|vậy?
    """,
    closing="""
        được|đc|ko|nhé|nhá|nha|ạ|với|nhỉ|nào|đi|hả|vậy|thế|luôn|cái ạ|nhé|nha|với|bạn|em|anh?
        giúp|giùm|dùm|hộ|hộ_cho|cho tôi|mình|em|với|tớ|anh|chị|minh|toi|mìn? ạ|nhé|với|nha|cái?
        cảm|cám ơn bạn|nhiều|trước|rất_nhiều|mọi_người|ạ|anh|chị|em|anh_chị? nhiều|trước|ạ|nhé?
        cam on|ơn ban|nhieu?
        trân trọng
        thì|thi? phải_làm_sao|làm_sao|sao_đây|phải_làm_thế_nào|nên_làm_gì
        có ai biết|giúp không|với?
        help|thanks|tks|thank_you|thks
        có sao_không|cách_nào
        mong được|bạn|anh_chị giúp_đỡ|phản_hồi
    """,
    fillers="""
        ừ|ừm|ờ|ờm|à|ồ|ơ|thì|dạ|vâng|ok|oke|okay|này|nè|thật_ra|nói_chung|kiểu|kiểu_như thì|là|em|ờ|ừm?
        cho|cho_phép em|mình|tôi|tớ|mik|minh|toi|e|anh hỏi|xin_hỏi|hoi chút|tí|xíu|một_chút|1_chút|cái_này|là|một_câu|
            ngu_tí|câu_này|thăm? chút|tí|xíu|là?
        anh_chị|anh|chị|bạn|mọi_người|ad|các_bác|các_bạn|cả_nhà|bác|em ơi|à|cho_em_hỏi|cho_mình_hỏi|cho_hỏi
        anh_chị|anh|chị|mọi_người|các_bác|các_bạn|ad|cả_nhà cho em|mình|tôi|e hỏi
        cho hỏi chút|tí|xíu?
        câu hỏi nhanh|nhỏ|đơn_giản? là?
        mình|tôi|em|tớ|e|toi|minh có|muốn hỏi|một_câu_hỏi|1_câu_hỏi|câu_hỏi|thắc_mắc|một_thắc_mắc|hỏi_chút|hỏi_là|
            hỏi_xem là|nhỏ|về|rằng?
        xin lỗi|loi vì|đã|làm_phiền|bạn? làm_phiền|đã_làm_phiền?
        nhân tiện
        nói thật|thật_là
        bạn ơi
        em ơi
        ơi
        ai|có_ai ở_đây|online không
        cần|mình_cần|em_cần|tôi_cần được? giúp_đỡ|giúp|trợ_giúp
    """,
    soft_fillers="""
        và|nhưng|vậy|giờ|bây_giờ|còn|cũng|có|được|rồi|thế|hiện|hiện_tại|hiện_nay|hôm_nay|chỉ|đơn_giản|chắc|có_lẽ
    """,
    frames="""
        bạn|em|anh|chị|mày|cậu|ad|hermes|ban|ai|anh_chị|có_ai|bot có|co thể|biết|the? thể? giúp|giúp_đỡ|hướng_dẫn|cho|
            chỉ|viết_giúp|làm_giúp|xem_giúp|hộ|giup|xem? tôi|mình|em|tớ|anh|chị|minh|toi|mik|cho_tôi|cho_mình|cho_em|
            tui? biết|xin|tìm_hiểu|hiểu|làm|thực_hiện|với|trong_việc|xem|tìm? là?
        có thể giúp|hướng_dẫn|cho|chỉ|giúp_đỡ|hộ|làm|viết? tôi|mình|em|tớ|anh|minh|toi? biết|xin|tìm_hiểu|hiểu|làm|
            thực_hiện|xem|với? được|không?
        giúp|giúp_đỡ|hỗ_trợ|giùm|hộ|giup|hướng_dẫn|chỉ tôi|mình|em|tớ|anh|chị|minh|toi|mik|tui|với|bọn_mình|chúng_tôi
            với|việc|cách|cái|trong_việc|tìm_hiểu|hiểu|xem|biết?
        nhờ|xin|mong bạn|anh_chị|anh|chị|em|ad|mọi_người|được|ban|các_bạn chị|giúp|hỗ_trợ|hướng_dẫn|tư_vấn? giúp|
            hỗ_trợ|hướng_dẫn|tư_vấn? tôi|mình|em|cho_em|cho_tôi|cho_mình|về?
        cho|gửi|tìm|làm|tạo|viết|đưa|lấy|kiếm|soạn|vẽ|thiết_kế|chuẩn_bị cho tôi|mình|em|tớ|anh|minh|toi xin|một|1|
            biết|vài|cái|danh_sách|bản?
        cho tôi|mình|em|tớ|anh|minh|toi|e|tui xin|biết|hỏi|một|1|xem|vài|thông_tin_về|danh_sách? một|1|về|vài|cái?
        tôi|mình|em|tớ|anh|chị|minh|toi|chúng_tôi|bọn_mình|mik|tui|tụi_mình|chúng_mình|e muốn|cần|đang_muốn|đang_cần|
            định|đang_tìm|tìm|đang_cố|cố|dự_định|thích|phải|đang_tìm_kiếm|muon|can|đang_định|mong_muốn|rất_cần|
            rất_muốn|có_nhu_cầu|đang_tìm_cách|cố_gắng|hay_tìm được|biết|nhờ|hỏi|tìm|tìm_hiểu|bạn|có|một|1|xin|
            học_cách|gấp|nhờ_bạn|hỏi_về|hỏi_cách|tư_vấn|tìm_cách|biết_về? bạn|về|một|một_số|vài|1|giúp|cách|xem|
                giúp_mình|
            giúp_tôi?
        cần|muốn|đang_cần|đang_tìm|tìm|can một|1|gấp|người|ai_đó|tìm|giúp|giúp_đỡ|biết|hỏi|tư_vấn|được? về|một|giúp|
            với|cách?
        có ai có|biết|từng|dùng|nào_biết
        có cách nào|gì để|giúp
        có cách|cái|ai nào|gì? không|để
        có phải|nên
        bạn|em|anh|chị|mọi_người|ai|ad|các_bác có|biết|đã|nào_có
        hãy|xin_hãy|mời|thử
        lên|gợi_ý|giải_thích|tóm_tắt|đề_xuất|giới_thiệu|kể|nói|chỉ|dạy|hướng_dẫn|tư_vấn giúp|cho|hộ|giùm tôi|mình|em|
            tớ|anh|chị|minh|toi|với? về|một|nghe|biết?
        viết|làm|sửa|tạo|tìm|dịch|kiểm_tra|xem|soạn|vẽ|lập giúp|hộ|giùm tôi|mình|em|tớ|anh|minh|toi một|1|cái?
        nhiệm vụ của bạn|tôi là
        câu hỏi là|của_tôi_là|của_mình_là
        chúng ta hãy
        tôi|mình|em|tớ đang? tự? hỏi|thắc_mắc|băn_khoăn liệu|là|rằng|về?
        liệu bạn|em có? thể? giúp? tôi|mình|em?
        sẽ rất_tuyệt|tốt|hay nếu bạn? giúp?
    """,
    asking="""
        giải_thích|cho_tôi_biết|nói|chỉ|hướng_dẫn|dạy|xem|tìm_hiểu|tìm|kiểm_tra|biết|hiểu cho|giúp? tôi|mình|em?
        tôi|mình|em|tớ không hiểu|biết|rõ|chắc|tìm_ra
        không hiểu|biết|rõ
        bạn|ai|có_ai|anh|chị biết|có_biết
    """,
    openers="""
        tôi|mình|em|tớ|anh|chúng_tôi|minh|toi|tụi_mình|e có|đang_có|bị|gặp|đang_gặp|đang_dùng|dùng|đang_làm|đang|vừa|
            vừa_mua|mới|mới_mua|đã|là|hay|hay_bị|thường|đang_bị|đang_học|nhận_được|thấy|đang_sử_dụng một|1|cái|phải?
        đây là|la? một|đoạn|code|file|cái?
        hiện tôi|mình|em? đang? có|gặp|bị?
        có một|1|vài
        máy|con|cái|chiếc của tôi|mình|em
    """,
    telling="đang tôi mình em tớ anh chúng đây hiện có máy hôm nay qua từ vừa sau khi trong ở nhà công minh toi dạo "
    "nó bạn con "
    "dưới trên",
    orders="viết sửa giải tạo làm dịch tóm tìm cho so tính phân tối cải kiểm chuyển đổi thêm xóa xoá cài cấu triển thử "
    "đơn tổ lập gợi đề liệt soạn thiết vẽ sắp lọc đọc mở đóng gửi mua đặt hủy huỷ nhắc bật tắt di cập chạy tải lên "
    "xây mô giúp hướng chỉ kể nêu trình xem hãy rút chỉnh bổ đăng gọi ghi học",
    making="""
        viết|tạo|làm|soạn|lập|vẽ|thiết_kế|tìm|gợi_ý một|1|cái|bản|đoạn|bài?
        tôi|mình|em|tớ không thể|biết|vào? được?
    """,
    roles="""
        bạn|hãy là|đóng_vai một|chuyên_gia
        với tư_cách|vai_trò là|một
        hãy? đóng vai|vai_trò?
        hãy? tưởng tượng
    """,
    small="""
        giúp|giùm|hộ|dùm|cho|giup tôi|mình|em|tớ|anh|chị|minh|toi|với một|1|cái?
    """,
    questions="gì sao nào đâu ai mấy bao khi tại vì làm thế có như nên liệu",
    asides="""
        làm thế_nào|sao|cách_nào để? tôi|mình|em|có_thể?
        làm cách nào để?
        cách nào để?
        cách để|làm
        tôi|mình|em nên|có_nên|có_thể|phải
        có nên|thể|cần|phải
        nên
    """,
    labels="câu_hỏi hỏi vấn_đề chủ_đề nhiệm_vụ lỗi ghi_chú mục_tiêu re fwd todo bug",
    refers="nó này đó",
    objects="nó",
    articles="một những các",
    leading="một cái",
    leading_before_capital="",
    possessives="",
    skipped="đang đã thì cái",
    prepositions="cho với trong trên dưới ở tại bằng từ qua đến tới theo về ngoài giữa sau trước khi để vào ra lên "
    "xuống sang gồm",
    tight="của như",
    syllables=True,
    since="từ",
    until="đến sang tới qua",
    postposed="này kia đó ấy nào gì nhất hơn",
    pairing="giữa sánh",
    choosing="hay hoặc",
    joining="và hoặc hay",
    clauses="nhưng vì nên nếu khi thì do tuy dù bởi sau trước còn rồi tại sao",
    half="khi",
    relatives="mà rằng để",
    subjects="tôi mình em anh chị bạn nó họ chúng bé tớ con",
    auxiliaries="là có bị được đã đang sẽ phải nên cần muốn không chưa thể hãy vẫn cũng đều",
    adverbs="rất quá lắm cũng vẫn đều không chưa chỉ mỗi mọi tất cả nhiều ít vài mấy một hai ba những các này kia hơn "
    "khá thật đang",
    particles="gì đó đây ấy ạ nhé nha nhỉ vậy thế đi lại nữa luôn ơi ai tôi cảm ơn xin chào vui lòng làm sao nào nay",
    generic="giúp giúp_đỡ lỗi vấn đề câu hỏi code cách thứ sửa giải quyết ý tưởng tư vấn sau đây dưới nghĩa xảy ra "
    "biết "
    "hiểu giải thích xem thấy chạy hoạt động cần muốn tìm thử văn bản tin nhắn ví dụ gấp nhanh log ảnh link được "
    "không trả lời với tiếp theo gặp bị kính gửi trân trọng",
    joined="""
        sô_cô cô_la nhật_bản từ_ngữ bền_vững mỹ_phẩm dân_tộc chủ_quan khách_quan nông_sản chất_lượng cổ_đông bất_ngờ
            tùy_chọn tuỳ_chọn
            xác_suất
            toán_cấp
        ai_đó anh_chị áo_khoác an_toàn ảnh_hưởng ăn_uống ăn_kiêng âm_nhạc bài_hát bài_tập bài_viết báo_cáo báo_giá
            bảo_hiểm bảo_mật bảo_trì
        bán_hàng bản_đồ bảng_tính bánh_mì bao_lâu bao_nhiêu bắt_đầu bệnh_viện bí_quyết bình_luận bình_thường biến_số
            biểu_đồ biểu_mẫu bóng_đá bộ_nhớ bộ_lọc bữa_sáng bữa_tối
        cà_phê cá_nhân cài_đặt cải_thiện cảnh_báo căn_hộ cân_nặng cấu_hình cấu_trúc câu_hỏi cây_cảnh chi_phí chi_tiêu
            chi_tiết chia_sẻ chiến_lược chính_sách chính_tả chủ_đề
        chủ_nhà chuẩn_bị chúc_mừng chung_cư chuyến_đi chuyển_đổi chuyển_khoản chữ_ký chương_trình chứng_khoán
            chứng_chỉ công_cụ công_nghệ công_thức công_ty công_việc cơ_bản cơ_sở cơ_thể cổ_phiếu cộng_đồng
        cuộc_họp cuộc_sống cuối_tuần cửa_hàng danh_sách dân_số dài_hạn dễ_dàng dịch_vụ doanh_nghiệp doanh_thu
            dòng_lệnh du_lịch dung_lượng dự_án dự_báo dự_phòng dữ_liệu dược_phẩm
        đa_luồng đại_học đánh_giá đào_tạo đau_đầu đau_lưng đám_mây đám_cưới đăng_ký đăng_nhập đặt_hàng đầu_gối đầu_tư
            đề_xuất đi_bộ địa_chỉ địa_điểm điện_thoại điện_tử điều_khiển điều_kiện điều_tra
        định_dạng đoạn_văn đóng_gói độc_lập đối_tượng đồng_bộ đồng_hồ đồ_ăn đơn_giản đơn_hàng đơn_vị đường_dẫn
            đường_link ghi_chú ghi_nhớ gia_đình gia_hạn giá_cả giá_vàng giải_pháp giải_thích giải_thuật
        giao_diện giao_dịch giao_thông giáo_viên giảm_cân giảm_giá giấc_ngủ giấy_tờ giới_hạn giới_thiệu giữa_kỳ hàm_số
            hàng_ngày hàng_tháng hàng_tuần hàng_năm hành_trình hậu_kỳ hệ_thống hệ_điều hiển_thị hiệu_năng hiệu_quả
            hiệu_suất
        hình_ảnh hoa_quả hoạt_động học_máy học_phí học_sinh học_tập hóa_đơn hoá_đơn hợp_đồng hỗ_trợ hướng_dẫn
            hướng_đối in_ấn kế_hoạch kế_toán kết_nối kết_quả kết_thúc khách_hàng khách_sạn khác_nhau khác_biệt
            khái_niệm
        khám_bệnh khắc_phục khoa_học khởi_động khởi_nghiệp khủng_long không_khí khuyến_mãi kiểm_thử kiểm_tra kiến_thức
            kiến_trúc kinh_doanh kinh_nghiệm kinh_tế kỹ_năng kỹ_thuật lãi_suất làm_việc làm_sao làm_thế lao_động
            lập_trình lập_lịch
        lịch_sử lịch_trình liên_hệ liên_kết linh_hoạt logic_mờ lộ_trình luật_sư luyện_tập lưu_trữ lưu_lượng ma_trận
            mã_hóa mã_hoá mã_nguồn mạng_xã xã_hội máy_ảnh máy_chủ máy_giặt máy_lạnh máy_sưởi máy_tính màn_hình
            mật_khẩu mặc_định mẫu_đơn miễn_phí môi_trường
        mô_hình mô_tả mỗi_ngày món_ăn mua_bán mua_sắm mục_tiêu năng_lượng năng_suất nâng_cấp nấu_ăn ngân_hàng
            ngân_sách nghề_nghiệp nghiên_cứu nghỉ_phép nghỉ_việc ngoại_ngữ ngôn_ngữ người_dùng người_lớn người_yêu
            nguyên_nhân nguyên_liệu
        nhà_hàng nhà_thuê nhà_vệ nhân_sự nhân_viên nhập_khẩu nhật_ký nhiệt_độ nội_dung nội_thất ổ_cứng ổn_định
            phân_biệt phân_loại phân_quyền phân_tích phần_mềm phần_cứng phần_trăm pháp_luật phát_triển phép_toán
            phiên_bản phòng_khách phòng_ngủ phỏng_vấn
        phúc_tạp phức_tạp phụ_huynh phục_hồi phương_án phương_pháp phương_tiện quan_trọng quản_lý quản_trị quảng_cáo
            quy_định quy_trình quyền_truy rau_củ rượu_vang sản_phẩm sao_lưu sắp_xếp sân_bay sâu_răng sinh_nhật
            sinh_viên so_sánh sổ_tay số_liệu số_lượng
        sự_cố sự_kiện sự_khác sửa_chữa sức_khỏe sức_khoẻ sơ_mi tác_dụng tài_chính tài_khoản tài_liệu tải_xuống tải_lên
            tạo_ra tập_luyện tập_tin tên_miền thanh_toán tham_khảo tham_số thành_phố thành_viên thay_đổi thay_thế
            thể_dục thể_thao thêm_mới thế_giới thế_nào
        thị_trường thiết_bị thiết_kế thông_báo thông_tin thời_gian thời_tiết thời_trang thu_nhập thủ_tục thuật_toán
            thuê_nhà thuế_má thư_viện thư_mục thực_đơn thực_hiện thực_phẩm thực_tập thường_xuyên thương_hiệu
            thương_mại tiền_điện tiền_lương tiếng_anh tiếng_việt tiếng_nhật tiếng_trung tiếng_pháp tiếng_đức tiếng_hàn
        tiếp_thị tiết_kiệm tiêu_đề tiêu_dùng tiểu_đường tìm_kiếm tin_nhắn tin_tức tính_năng tính_toán toán_học toàn_bộ
            tổ_chức tối_ưu tốc_độ tổng_hợp tóm_tắt tranh_luận trang_trí trang_web trả_lời trả_góp trải_nghiệm trẻ_em
            trí_tuệ triển_khai triệu_chứng trình_bày trình_duyệt trò_chơi trung_bình trung_tâm trực_tuyến trường_học
        truy_cập truy_vấn tuyển_dụng tư_vấn tự_động tự_do tự_học từ_khóa từ_khoá từ_vựng tương_lai tương_tác tủ_lạnh
            ưu_điểm ứng_dụng ứng_viên vay_tiền vay_mua văn_bản văn_phòng vấn_đề vận_chuyển vận_hành vé_máy máy_bay
            vệ_sinh vệ_tinh vị_trí việc_làm video_ngắn viết_lại vòng_lặp
        xác_nhận xác_thực xăng_dầu xe_máy xe_hơi xe_đạp xu_hướng xuất_khẩu xử_lý yêu_cầu ý_nghĩa ý_tưởng y_tế mã_giảm
            tỷ_giá thu_chi hôn_nhân bất_động động_sản hà_nội sài_gòn đà_lạt đà_nẵng nha_trang hội_an việt_nam hàn_quốc
            nhật_bản trung_quốc thái_lan con_gái con_trai bạn_trai bạn_gái phụ_nữ đàn_ông
        chó_con mèo_con cơn_ho dạ_dày mất_ngủ cảm_cúm huyết_áp tiêm_chủng thai_kỳ em_bé năm_mới tết_nguyên lời_chúc
            ngày_mai hôm_nay hôm_qua tuần_sau tháng_sau buổi_sáng buổi_tối đổi_tên khởi_tạo phản_hồi cá_heo nha_sĩ
            nhân_tạo
    """,
    trouble="lỗi hỏng treo chậm không đau mất bị sập đứng đơ chết nóng đầy hết rơi vỡ sai thất bại từ chối ngừng khởi "
    "rò sốt ốm",
)
